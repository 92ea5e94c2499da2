// Files that are exchanged while Loom reads them; test/system does it for longer.
import { expect, test } from 'vitest';
import { openDoor } from '../fixtures.ts';
import { readWhileSwapped } from '../swaps.ts';

test('a file exchanged for a pipe or a link while it is read is never waited for, nor read outside', async () => {
  const loom = await openDoor('stdio', { toolset: 'drawer' });
  const { outside, stored, refused } = await readWhileSwapped(loom, (reads) => reads < 400);
  expect(outside).toBe(0);
  // Both happened, so that the attack was one.
  expect(Math.min(stored, refused)).toBeGreaterThan(0);
  await loom.close();
});
