import type { Call } from '#base/operation.ts';
import { maskStart, type Redaction } from '#base/secrets.ts';
import { inSlices } from '#base/slices.ts';
import type { Inspected } from '#drawer/contents.ts';
import { extractInvariants } from '#drawer/invariants/extract.ts';
import { invariantKinds } from '#drawer/invariants/kinds.ts';
import type { InvariantTable } from '#drawer/invariants/table.ts';
import type { DrawerOperations } from '#drawer/operations.ts';

/** Bytes of a document that are looked at: some tenths of a second's work. */
const mostBytes = 8 * 2 ** 20;
const pageBytes = 2 ** 20;
/** Values of a kind, and masks, that are told. */
const mostValues = 200;
const longestValue = 300;
const mostMasks = 500;

const readBeginning = async (call: Call<DrawerOperations>, document: number): Promise<[Buffer, redacted: number]> => {
  const parts: Uint8Array[] = [];
  for (let from = 0; ;) {
    const read = await call('drawer.read', { document, from, most: pageBytes });
    parts.push(read.bytes);
    from = read.from + read.bytes.length;
    if (from >= Math.min(read.range[1], mostBytes)) return [Buffer.concat(parts), read.info.redacted];
  }
};

const valuesOf = (table: InvariantTable): Inspected['invariants'] => {
  const byKind = new Map(invariantKinds.map((kind) => [kind, { total: 0, values: [] as number[] }]));
  for (let index = 0; index < table.size; index++) {
    const own = byKind.get(table.kindAt(index));
    if (own && own.total++ < mostValues) own.values.push(index);
  }
  return Array.from(byKind, ([kind, { total, values }]) => ({
    kind,
    total,
    values: values.map((index) => ({
      text: table.textAt(index).slice(0, longestValue),
      count: table.countAt(index),
    })),
  })).filter(({ total }) => total > 0);
};

const mask = new RegExp(`^${maskStart}([\\w-]+):(\\d+)›`);

/** The masks in `bytes`, as they were written on the way in. */
function* masksIn(bytes: Buffer): Generator<void, Redaction[]> {
  const found: Redaction[] = [];
  let line = 1;
  for (let from = 0, at = 0; found.length < mostMasks; from = at + 1) {
    at = bytes.indexOf(maskStart, from);
    if (at < 0) break;
    for (let next = bytes.indexOf(10, from); next >= 0 && next < at; next = bytes.indexOf(10, next + 1)) line++;
    const [whole, rule = '', length] = mask.exec(bytes.toString('utf8', at, at + 120)) ?? [];
    if (whole !== undefined) found.push({ rule, line, length: Number(length) });
    yield;
  }
  return found;
}

/** The invariants of a document, and what was masked in it, from what is stored of it. */
export const inspect = async (
  call: Call<DrawerOperations>,
  document: number,
  signal: AbortSignal,
): Promise<Inspected> => {
  const [bytes, redacted] = await readBeginning(call, document);
  const { table } = await inSlices(extractInvariants(bytes), signal);
  const redactions = redacted > 0 ? await inSlices(masksIn(bytes), signal) : [];
  return { bytes: bytes.length, invariants: valuesOf(table), redactions };
};
