// Content as the drawer stores it: chunks in a row, compressed together in blocks.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Chunk } from './chunks.ts';

/** Some chunks in a row, compressed together: what the drawer stores. A chunk never straddles two blocks. */
export type Block = { number: number; offset: number; data: Uint8Array };
/** A chunk's row: its number (from 1), its block, and where it stands. Arrays, since a large document has thousands. */
export type ChunkRow = readonly [number: number, block: number, offset: number, bytes: number, line: number];
/** What one operation stores of a document. */
export type Piece = { blocks: readonly Block[]; chunks: readonly ChunkRow[] };

const blockBytes = 65_536;
/** Content in one operation: its commit holds the owner for some milliseconds. */
const pieceBlocks = 48;

/** The chunks of each block: indexes of its first and of the one behind its last. */
const blockRanges = (chunks: readonly Chunk[]): [number, number][] => {
  const ranges: [number, number][] = [];
  let first = 0;
  for (const [index, chunk] of chunks.entries()) {
    const start = chunks[first]?.offset ?? 0;
    if (chunk.offset + chunk.bytes - start <= blockBytes) continue;
    ranges.push([first, index]);
    first = index;
  }
  if (first < chunks.length) ranges.push([first, chunks.length]);
  return ranges;
};

export const compress = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
/** A whole block in one step: with zlib's usual 16 KB it would be put together from five. */
export const decompress = (data: Uint8Array): Buffer => zstdDecompressSync(data, { chunkSize: blockBytes + 1 });

type Opened = { data: Uint8Array; bytes: Buffer };

/** Blocks that stay open: 4 MB of content. */
const mostOpened = 64;
const opened = new Map<string, Opened>();

const keyOf = (data: Uint8Array): string =>
  `${data.length} ${Buffer.from(data.buffer, data.byteOffset, Math.min(32, data.length)).toString('latin1')}`;

/** The bytes of a block. The last ones stay open: searches come back to them. Known by their data, never by an id. */
export const openBlock = (data: Uint8Array): Buffer => {
  const key = keyOf(data);
  const known = opened.get(key);
  const bytes = known && Buffer.compare(known.data, data) === 0 ? known.bytes : decompress(data);
  opened.delete(key);
  opened.set(key, { data, bytes });
  const [oldest = ''] = opened.size > mostOpened ? opened.keys() : [];
  opened.delete(oldest);
  return bytes;
};

/** The pieces that a document is stored in, each compressed only when it is asked for; at least one, maybe empty. */
export const pieces = (bytes: Uint8Array, chunks: readonly Chunk[]): (() => Generator<void, Piece>)[] => {
  const ranges = blockRanges(chunks);
  const starts = Array.from({ length: Math.max(1, Math.ceil(ranges.length / pieceBlocks)) }, (_, i) => i * pieceBlocks);
  return starts.map((start) => () => makePiece(bytes, chunks, ranges, start));
};

function* makePiece(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  ranges: readonly [number, number][],
  start: number,
): Generator<void, Piece> {
  const blocks: Block[] = [];
  const rows: ChunkRow[] = [];
  for (const [index, [first, end]] of ranges.slice(start, start + pieceBlocks).entries()) {
    const number = start + index;
    const inside = chunks.slice(first, end);
    const offset = inside[0]?.offset ?? 0;
    const bytesInside = inside.reduce((sum, chunk) => sum + chunk.bytes, 0);
    blocks.push({ number, offset, data: compress(bytes.subarray(offset, offset + bytesInside)) });
    for (const [i, chunk] of inside.entries())
      rows.push([first + i + 1, number, chunk.offset, chunk.bytes, chunk.line]);
    yield;
  }
  return { blocks, chunks: rows };
}
