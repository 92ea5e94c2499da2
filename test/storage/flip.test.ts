/** One flipped byte: what is lost and what is said. The same with many more positions: test/system/flips.ts. */
import { expect, test } from 'vitest';
import { flipEach, makeDrawer, type Shape } from './flip.ts';

test.each<[Shape, string]>([
  ['living', 'plain'],
  ['living', 'sealed'],
  ['rewritten', 'plain'],
  ['rewritten', 'sealed'],
])('a drawer that is %s and %s loses nothing to a flipped byte, and says so', async (shape, sealing) => {
  const figures = await flipEach(await makeDrawer(shape, sealing === 'sealed'), 12, true);
  for (const { mostLost, wrong } of figures.values()) expect({ mostLost, wrong }).toEqual({ mostLost: 0, wrong: [] });
});

test.each(['plain', 'sealed'])(
  'with one %s snapshot left, what is not on the page is there, and no word is wrong',
  async (sealing) => {
    const figures = await flipEach(await makeDrawer('alone', sealing === 'sealed'), 12, true);
    for (const { wrong } of figures.values()) expect(wrong).toEqual([]);
  },
);
