// Reads any part of a document: by chunk, by lines, by bytes.
import { LoomError } from '#base/errors.ts';
import { counted, grouped } from '#base/text.ts';
import type { Tx } from '#base/tx.ts';
import type { DocumentInfo } from '#drawer/contents.ts';
import { chunkId } from '#drawer/ids.ts';
import { resolveRange, type Range } from '#text/range.ts';
import { openBlock } from './blocks.ts';
import { documentInfo, documentOrThrow } from './documents.ts';

export type ReadArgs = {
  /** Undefined: a person, who may read every session's documents. */
  session?: string | undefined;
  document: number;
  chunk?: number | undefined;
  /** Lines, from 1. */
  lines?: Range | undefined;
  /** Bytes, from 0. */
  bytes?: Range | undefined;
  /** Where to begin inside the range. */
  from?: number | undefined;
  /** Most bytes to answer with. */
  most: number;
};
export type ReadResult = {
  info: DocumentInfo;
  /** First byte of the range, and the one behind its last. */
  range: readonly [number, number];
  /** First byte of `bytes`, and the line that it stands in. */
  from: number;
  line: number;
  bytes: Uint8Array;
};

type ChunkAt = { number: number; block: number; offset: number; bytes: number; line: number };
type BlockAt = { offset: number; data: Uint8Array };

/** Bytes `from` to before `to` of a document. Opens only the blocks that hold them. */
export const content = (tx: Tx, document: number, from: number, to: number): Buffer => {
  const first = chunkAt(tx, document, from);
  if (!first || to <= from) return Buffer.alloc(0);
  const blocks = tx.all<BlockAt>(
    'select offset, data from block where document = ? and number >= ? and offset < ? order by number',
    [document, first.block, to],
  );
  return Buffer.concat(
    blocks.map(({ offset, data }) => openBlock(data).subarray(Math.max(0, from - offset), Math.max(0, to - offset))),
  );
};

const chunkAt = (tx: Tx, document: number, offset: number): ChunkAt | undefined =>
  tx.get<ChunkAt>(
    `select number, block, offset, bytes, line from chunk where document = ? and offset <= ?
      order by offset desc limit 1`,
    [document, offset],
  );

/** The number of the chunk that a byte stands in. */
export const chunkNumberAt = (tx: Tx, { document, offset }: { document: number; offset: number }): number =>
  chunkAt(tx, document, offset)?.number ?? 1;

/** The byte that line `line` begins at. Its predecessor ends in the last chunk that begins no later than that line. */
const lineStart = (tx: Tx, info: { id: number; lines: number; bytes: number }, line: number): number => {
  if (line <= 1) return 0;
  if (line > info.lines) return info.bytes;
  const chunk = tx.get<ChunkAt>(
    `select number, block, offset, bytes, line from chunk where document = ? and line < ?
      order by line desc, number desc limit 1`,
    [info.id, line],
  );
  if (!chunk) return 0;
  const text = content(tx, info.id, chunk.offset, chunk.offset + chunk.bytes);
  let at = 0;
  for (let passed = chunk.line; passed < line; passed++) at = text.indexOf(10, at) + 1;
  return chunk.offset + at;
};

const newlines = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 10) count++;
  return count;
};

type Sizes = { id: number; lines: number; bytes: number; chunks: number };

/** First and last of `asked`, which begins within `total`. */
const within = (asked: Range, total: number, unit: 'line' | 'byte', name: string): [number, number] => {
  const base = unit === 'line' ? 1 : 0;
  const { from, to } = resolveRange(asked, total, base);
  if (to < from && asked[1] !== null) {
    const [first, last] = asked;
    const why =
      to < base ? `${unit}s count from ${base}` : `the last stands before the first: write "${last}-${first ?? base}"`;
    throw new LoomError('INVALID_ARGUMENTS', `${unit}s: ${first ?? ''}-${last} is no range of ${name}: ${why}.`);
  }
  if (from < total + base) return [from, to];
  throw new LoomError(
    'OUT_OF_RANGE',
    `${name} has ${counted(total, unit)}; ${unit} ${grouped(from)} is not there. The last 20 are "-20:".`,
  );
};

const lineRange = (tx: Tx, sizes: Sizes, name: string, asked: Range): [number, number] => {
  const [first, last] = within(asked, sizes.lines, 'line', name);
  return [lineStart(tx, sizes, first), lineStart(tx, sizes, last + 1)];
};

const byteRange = (sizes: Sizes, name: string, asked: Range): [number, number] => {
  const [first, last] = within(asked, sizes.bytes, 'byte', name);
  return [first, Math.min(last + 1, sizes.bytes)];
};

const chunkRange = (tx: Tx, sizes: Sizes, name: string, number: number): [number, number] => {
  const chunk = tx.get<ChunkAt>('select * from chunk where id = (? << 20) + ?', [sizes.id, number]);
  if (chunk) return [chunk.offset, chunk.offset + chunk.bytes];
  throw new LoomError(
    'NOT_FOUND',
    `${chunkId(sizes.id, number)} was never given out: ${name} has ${counted(sizes.chunks, 'chunk')}.`,
  );
};

/** A part of a document: of its chunk, its lines or its bytes where they are named. */
export const readRange = (tx: Tx, args: ReadArgs): ReadResult => {
  const document = documentOrThrow(tx, args.document, args.session);
  const info = documentInfo(document);
  const range = args.lines
    ? lineRange(tx, document, info.id, args.lines)
    : args.bytes
      ? byteRange(document, info.id, args.bytes)
      : args.chunk !== undefined
        ? chunkRange(tx, document, info.id, args.chunk)
        : ([0, document.bytes] as const);
  const from = Math.min(range[1], Math.max(range[0], args.from ?? 0));
  const chunk = chunkAt(tx, document.id, from);
  const line = chunk ? chunk.line + newlines(content(tx, document.id, chunk.offset, from)) : 1;
  return { info, range, from, line, bytes: content(tx, document.id, from, Math.min(range[1], from + args.most)) };
};
