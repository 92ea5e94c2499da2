import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { compress, pieces, type Block, type Piece } from '#drawer/documents/blocks.ts';
import { cutChunks } from '#drawer/documents/chunks.ts';
import { hash } from '#files/decode.ts';
import { extractInvariants } from '#drawer/invariants/extract.ts';
import { indexLines } from '#text/lines.ts';
import { PieceVerifier, type Verdict } from '#drawer/verify/pieceVerifier.ts';
import { verifyDocument } from '#drawer/verify/verifyDocument.ts';
import { randomBytes } from './random.ts';
import { rig } from './rig.ts';
import * as samples from './samples.ts';

/** What the verifier says of pieces made by the drawer and then changed by `spoil`. */
const verdictOf = (bytes: Buffer, spoil: (piece: Piece) => Piece = (piece) => piece): Verdict => {
  const lines = atOnce(indexLines(bytes));
  const chunks = atOnce(cutChunks(lines));
  const { tally } = atOnce(extractInvariants(bytes));
  const sha256 = atOnce(hash(bytes));
  const verifier = new PieceVerifier({ sha256, bytes: bytes.length, lines: lines.count, chunks: chunks.length, tally });
  for (const make of pieces(bytes, chunks)) atOnce(verifier.add(spoil(atOnce(make()))));
  return verifier.end();
};

const log = Buffer.from(samples.serviceLog(2000));

test('what the drawer makes of any content is proven', () => {
  const contents: Buffer[] = [
    log,
    Buffer.alloc(0),
    Buffer.from('x'),
    Buffer.from('7'.repeat(300_000)),
    Buffer.from(samples.ordersJson()),
  ];
  for (const seed of [1, 2, 3, 4, 5, 6]) contents.push(randomBytes(seed, 200_000, true));
  for (const bytes of contents) {
    const { faults, invariants, retrieved } = verdictOf(bytes);
    expect(faults).toEqual([]);
    expect(retrieved).toBe(invariants);
  }
});

/** A block with one byte changed, its length kept. */
const rewritten = (block: Block, change: (bytes: Buffer) => void, bytes: Buffer): Block => {
  change(bytes);
  return { ...block, data: compress(bytes) };
};
const firstBlock = (piece: Piece): Buffer => {
  const end = piece.blocks[1]?.offset ?? log.length;
  return Buffer.from(log.subarray(0, end));
};

test.each<[string, (piece: Piece) => Piece, RegExp]>([
  [
    'a byte is another',
    (piece) => ({ ...piece, blocks: piece.blocks.map((block, i) => (i > 0 ? block : rewritten(block, (bytes) => void bytes.write('X', 30), firstBlock(piece)))) }),
    /SHA-256/,
  ],
  [
    'a number is another',
    (piece) => ({ ...piece, blocks: piece.blocks.map((block, i) => (i > 0 ? block : rewritten(block, (bytes) => void bytes.write('2027', 0), firstBlock(piece)))) }),
    /invariants of the content/,
  ],
  ['a block is no block', (piece) => ({ ...piece, blocks: piece.blocks.map((block, i) => (i > 0 ? block : { ...block, data: Buffer.from('zz') })) }), /cannot be opened/],
  ['a block is missing', (piece) => ({ ...piece, blocks: piece.blocks.slice(1) }), /begins at byte/],
  ['a chunk is missing', (piece) => ({ ...piece, chunks: piece.chunks.filter(([number]) => number !== 3) }), /does not follow/],
  ['a chunk is told twice', (piece) => ({ ...piece, chunks: piece.chunks.flatMap((chunk) => (chunk[0] === 3 ? [chunk, chunk] : [chunk])) }), /does not follow/],
  ['a line number is wrong', (piece) => ({ ...piece, chunks: piece.chunks.map(([n, b, o, l, line]) => [n, b, o, l, n === 5 ? line + 1 : line] as const) }), /begins in line/],
  ['chunks are shorter than the bytes', (piece) => ({ ...piece, chunks: piece.chunks.map(([n, b, o, l, line]) => [n, b, o, n === 5 ? l - 1 : l, line] as const) }), /bytes in chunks/],
])('%s: not proven', (_, spoil, fault) => {
  expect(verdictOf(log, spoil).faults.join('\n')).toMatch(fault);
}); // prettier-ignore

test('a document is verified from what is stored, also where no index knows it yet', async () => {
  for (const unindexed of [true, false]) {
    const it = await rig({ unindexed });
    const { id = '' } = await it.put(samples.serviceLog(900));
    await it.indexed();
    const verified = await verifyDocument(it.store.call, { doc: id, session: it.session });
    expect(verified).toMatchObject({ doc: id, lossless: true, faults: [] });
    expect(verified.retrieved).toBe(verified.invariants);
    expect(verified.indexed.found).toBe(unindexed ? 0 : verified.chunks);
    expect(verified.inAnchor).toBeGreaterThan(10);
  }
});

test('damage after the store is seen by the next verification', async () => {
  const it = await rig();
  const { id = '' } = await it.put(samples.serviceLog(900));
  await it.indexed();
  const damaged = { ...it.store, call: (async (name: never, args: never) => {
    const answer: unknown = await it.store.call(name, args);
    if (name !== 'drawer.piece') return answer;
    const piece = answer as Piece;
    return { ...piece, chunks: piece.chunks.slice(0, -1) };
  }) as typeof it.store.call }; // prettier-ignore
  const verified = await verifyDocument(damaged.call, { doc: id });
  expect(verified.lossless).toBe(false);
  expect(verified.retrieved).toBeLessThan(verified.invariants);
});

test('chunks that the index has lost are named', async () => {
  const it = await rig();
  const { id = '' } = await it.put(samples.serviceLog(900));
  await it.indexed();
  const { chunks } = await verifyDocument(it.store.call, { doc: id });
  const call = (async (name: never, args: never) =>
    name === 'drawer.probe'
      ? it.store.call('drawer.probe', { ...(args as { document: number; probes: [] }), document: 99 })
      : it.store.call(name, args)) as typeof it.store.call;
  const verified = await verifyDocument(call, { doc: id });
  expect(verified.indexed).toEqual({ found: 0, expected: chunks, byWords: chunks });
  expect(verified.faults.join()).toContain('not found through the index');
});
