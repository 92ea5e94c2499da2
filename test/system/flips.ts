/** 200 flipped bytes in each file of a drawer of 50 documents, one at a time. It prints its figures. */
import { expect, test } from 'vitest';
import { documents, flipEach, makeDrawer } from '../storage/flip.ts';

/** Two files call it, which run side by side. */
export const flipTests = (sealing: 'plain' | 'sealed'): void =>
  test.each(['living', 'rewritten', 'alone'] as const)(
    `%s, ${sealing}`,
    async (shape) => {
      const all = await flipEach(await makeDrawer(shape, sealing === 'sealed'), 200);
      for (const [name, { positions, hurt, mostLost, meanLost, wrong }] of all) {
        console.log(
          `${shape}, ${sealing}, ${name}: ${positions} flips, ${hurt} with a loss, documents lost of ${documents}: at most ${mostLost}, mean ${meanLost.toFixed(2)}; words that are wrong: ${wrong.length}`,
        );
        expect(wrong).toEqual([]);
        // Where one file is all there is, a page that leads to many documents may be the damaged one.
        if (shape !== 'alone') expect(mostLost).toBe(0);
      }
    },
    1_200_000,
  );
