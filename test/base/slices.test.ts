import { expect, test } from 'vitest';
import { inSlices } from '#base/slices.ts';

const spin = function* (ms: number): Generator<void, string> {
  const end = performance.now() + ms;
  while (performance.now() < end) yield;
  return 'done';
};

test('other work gets its turn, and the result comes', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  expect(await inSlices(spin(300))).toBe('done');
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

test('a cancelled one stops between two slices', async () => {
  await expect(inSlices(spin(10_000), AbortSignal.timeout(10))).rejects.toMatchObject({ code: 'CANCELLED' });
});
