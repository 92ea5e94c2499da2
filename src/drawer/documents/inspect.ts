// What the content of a document says of itself: its invariants, and what was masked in it.
import { maskStart, type Masked } from '#base/secrets/mask.ts';
import { inSlices } from '#base/slices.ts';
import { invariantKinds, type Inspected } from '#drawer/contents.ts';
import { extractInvariants } from '#drawer/invariants/extract.ts';
import type { InvariantTable } from '#drawer/invariants/table.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import { readWhole } from './readWhole.ts';

/** Bytes of a document that are looked at: some tenths of a second's work. */
const mostBytes = 8 * 2 ** 20;
/** Values of a kind, and masks, that are told. */
const mostValues = 200;
const longestValue = 300;
const mostMasks = 500;

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
function* masksIn(bytes: Buffer): Generator<void, Masked[]> {
  const found: Masked[] = [];
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

/** Looks at what is stored of a document. */
export const inspect = async (call: DrawerCall, document: number, signal: AbortSignal): Promise<Inspected> => {
  const { info, bytes } = await readWhole(call, { document, chunk: undefined }, { mostBytes });
  const { table } = await inSlices(extractInvariants(bytes), signal);
  const redactions = info.redacted > 0 ? await inSlices(masksIn(bytes), signal) : [];
  return { bytes: bytes.length, invariants: valuesOf(table), redactions };
};
