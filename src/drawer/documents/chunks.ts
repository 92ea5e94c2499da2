// Cuts a document into chunks.
import { characterStart } from '#base/utf8.ts';
import type { Lines } from '#text/lines.ts';

/** A line-aligned slice of a document. */
export type Chunk = {
  /** First byte, from 0. */
  offset: number;
  bytes: number;
  /** The line that its first byte stands in, from 1. */
  line: number;
};

/** Bytes of a chunk. */
const usualBytes = 2048;
const leastBytes = 1024;
const mostBytes = 4096;
/** How far a cut in a giant line looks back for a place between words. */
const lookBack = 256;

const isWordByte = (byte: number): boolean =>
  byte >= 0x80 || (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

/** Where to cut a line that is longer than a chunk may be: between words where that is near, else between characters. */
const cutInside = (bytes: Uint8Array, from: number): number => {
  const limit = from + mostBytes;
  for (let at = limit; at > limit - lookBack; at--) if (!isWordByte(bytes[at - 1] ?? 0)) return at;
  return characterStart(bytes, limit);
};

/** The end of the chunk that begins at `from` in line `line` (from 0), and the line that the next one begins in. */
const nextCut = (lines: Lines, from: number, line: number): { end: number; line: number } => {
  let next = line + 1;
  while (next < lines.count && lines.start(next + 1) <= from + usualBytes) next++;
  const end = lines.start(next);
  if (end - from <= usualBytes) {
    const longer = lines.start(next + 1);
    const takesNext = end - from < leastBytes && next < lines.count && longer - from <= mostBytes;
    return takesNext ? { end: longer, line: next + 1 } : { end, line: next };
  }
  if (end - from <= mostBytes) return { end, line: next };
  return { end: cutInside(lines.bytes, from), line };
};

/**
 * Cuts a document into chunks of about 2 KB, never over 4 KB. Joined, they are its bytes.
 * A line longer than that is cut inside, never with a look further than the chunk itself.
 */
export function* cutChunks(lines: Lines): Generator<void, Chunk[]> {
  const chunks: Chunk[] = [];
  for (let offset = 0, line = 0; offset < lines.bytes.length;) {
    const cut = nextCut(lines, offset, line);
    chunks.push({ offset, bytes: cut.end - offset, line: line + 1 });
    offset = cut.end;
    line = cut.line;
    if (chunks.length % 1024 === 0) yield;
  }
  return chunks;
}
