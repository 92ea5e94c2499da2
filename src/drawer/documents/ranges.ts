// Reads any part of a document: by chunk, by lines, by bytes.
import { LoomError } from '#base/errors.ts';
import { counted, grouped } from '#base/text.ts';
import type { Tx } from '#base/tx.ts';
import type { DocumentInfo } from '#drawer/contents.ts';
import { chunkId } from '#drawer/ids.ts';
import { openBlock } from './blocks.ts';
import { documentInfo, documentOrThrow } from './documents.ts';

export type ReadArgs = {
  /** Undefined: a person, who may read every session's documents. */
  session?: string | undefined;
  document: number;
  chunk?: number | undefined;
  /** First and last line, from 1. */
  lines?: readonly [number, number] | undefined;
  /** First and last byte, from 0. */
  bytes?: readonly [number, number] | undefined;
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

const lineRange = (tx: Tx, sizes: Sizes, name: string, [first, last]: readonly [number, number]): [number, number] => {
  if (!(first >= 1 && last >= first)) {
    throw new LoomError(
      'INVALID_ARGUMENTS',
      `Lines ${first}-${last} are no range: write the first and last line, from 1.`,
    );
  }
  if (first > sizes.lines) {
    throw new LoomError(
      'OUT_OF_RANGE',
      `${name} has ${counted(sizes.lines, 'line')}; line ${grouped(first)} is not there.`,
    );
  }
  return [lineStart(tx, sizes, first), lineStart(tx, sizes, last + 1)];
};

const byteRange = (sizes: Sizes, name: string, [first, last]: readonly [number, number]): [number, number] => {
  if (!(first >= 0 && last >= first)) {
    throw new LoomError(
      'INVALID_ARGUMENTS',
      `Bytes ${first}-${last} are no range: write the first and last byte, from 0.`,
    );
  }
  if (first >= sizes.bytes) {
    throw new LoomError(
      'OUT_OF_RANGE',
      `${name} has ${counted(sizes.bytes, 'byte')}; byte ${grouped(first)} is not there.`,
    );
  }
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
