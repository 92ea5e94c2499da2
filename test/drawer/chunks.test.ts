import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { decompress, pieces } from '#drawer/documents/blocks.ts';
import { cutChunks } from '#drawer/documents/chunks.ts';
import { indexLines } from '#text/lines.ts';
import { newlines, randomBytes } from './random.ts';

const chunksOf = (bytes: Buffer) => atOnce(cutChunks(atOnce(indexLines(bytes))));

test.each(Array.from({ length: 80 }, (_, seed) => seed))('chunks of random bytes %i', (seed) => {
  const bytes = randomBytes(seed, 60_000, seed % 2 === 0);
  const whole = isUtf8(bytes);
  let at = 0;
  for (const chunk of chunksOf(bytes)) {
    expect(chunk.offset).toBe(at);
    expect(chunk.bytes).toBeGreaterThan(0);
    expect(chunk.bytes).toBeLessThanOrEqual(4096);
    expect(chunk.line).toBe(newlines(bytes.subarray(0, at)) + 1);
    at += chunk.bytes;
    // A cut that is not at a line's end is in a line that no chunk could hold.
    if (at < bytes.length && bytes[at - 1] !== 10) {
      const start = bytes.lastIndexOf(10, at - 1) + 1;
      const end = bytes.indexOf(10, at);
      expect((end < 0 ? bytes.length : end + 1) - start).toBeGreaterThan(4096);
    }
    if (whole) expect(isUtf8(bytes.subarray(chunk.offset, at))).toBe(true);
  }
  expect(at).toBe(bytes.length);
});

test('chunks are about 2 KB', () => {
  const chunks = chunksOf(Buffer.from('some line of a log that has sixty bytes or so, more or less\n'.repeat(10_000)));
  expect(chunks.slice(0, -1).every(({ bytes }) => bytes >= 1024 && bytes <= 2560)).toBe(true);
});

test('blocks hold whole chunks, and joined they are the bytes', () => {
  const bytes = randomBytes(7, 4_000_000, true);
  const chunks = chunksOf(bytes);
  const stored = pieces(bytes, chunks).map((make) => atOnce(make()));
  const blocks = stored.flatMap((piece) => piece.blocks);
  const rows = stored.flatMap((piece) => piece.chunks);
  expect(Buffer.concat(blocks.map(({ data }) => decompress(data))).equals(bytes)).toBe(true);
  expect(rows.map(([number]) => number)).toEqual(chunks.map((_, index) => index + 1));
  for (const [, number, offset, length] of rows) {
    const block = blocks[number];
    const size = decompress(block?.data ?? Buffer.alloc(0)).length;
    expect(size).toBeLessThanOrEqual(65_536);
    expect(offset).toBeGreaterThanOrEqual(block?.offset ?? Infinity);
    expect(offset + length).toBeLessThanOrEqual((block?.offset ?? 0) + size);
  }
});

test('nothing has no chunk, and is stored all the same', () => {
  expect(chunksOf(Buffer.alloc(0))).toEqual([]);
  expect(pieces(Buffer.alloc(0), []).map((make) => atOnce(make()))).toEqual([{ blocks: [], chunks: [] }]);
});
