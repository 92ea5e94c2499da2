import { expect, test } from 'vitest';
import { scratch, sound } from './harness.ts';
import { hammer } from './hammer.ts';
import { startTogether } from './race.ts';

test.each([2, 4, 8])('%i programs start at the same instant, 200 times', async (count) => {
  const start = Date.now();
  await startTogether(count, 200, scratch());
  console.log(`${count} programs × 200 simultaneous starts: one owner each time, ${Date.now() - start} ms`);
});

test('200 kills under four writers', async () => {
  const { lost, twice, ...result } = await hammer(scratch(), 200, scratch());
  console.log(JSON.stringify({ ...result, lost: lost.length, twice: twice.length }));
  expect({ ...result, lost, twice }).toMatchObject(sound);
});
