import { expect, test, vi } from 'vitest';
import type { Block, Piece } from '#drawer/documents/blocks.ts';
import { rig } from './rig.ts';
import * as samples from './samples.ts';

const { spoiled } = vi.hoisted(() => ({ spoiled: { block: -1 } }));

/** A fault in what makes the blocks: one of them holds other bytes. */
vi.mock(import('#drawer/documents/blocks.ts'), async (original) => {
  const real = await original();
  const spoil = (block: Block): Block => {
    if (block.number !== spoiled.block) return block;
    const bytes = real.decompress(block.data);
    bytes.write('0000', bytes.length - 40);
    return { ...block, data: real.compress(bytes) };
  };
  return {
    ...real,
    pieces: (bytes, chunks) =>
      real.pieces(bytes, chunks).map(
        (make) =>
          function* (): Generator<void, Piece> {
            const piece = yield* make();
            return { ...piece, blocks: piece.blocks.map(spoil) };
          },
      ),
  };
});

test.each([
  ['of a small document', 3000, 1],
  ['in the first of several pieces', 60_000, 2],
  ['in the last of several pieces', 60_000, 60],
])('what cannot be proven is refused, and nothing of it can be found: a block %s', async (_, lines, block) => {
  const it = await rig();
  const text = samples.serviceLog(lines);
  spoiled.block = block;
  await expect(it.put(text)).rejects.toMatchObject({ code: 'UNPROVEN' });
  spoiled.block = -1;
  expect(await it.drawer.documents({ limit: 9 })).toEqual([]);
  const found = await it.drawer.search({ session: it.session, query: 'charge failed', units: 900 });
  expect(found).toMatchObject({ passages: [], searched: { documents: 0 } });
  expect((await it.put(text)).id).toBeDefined();
});
