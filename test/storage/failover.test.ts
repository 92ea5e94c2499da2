/** Owners that die while others work. */
import { expect, test } from 'vitest';
import { hammer } from './hammer.ts';
import { open, Program, scratch, sound, until } from './harness.ts';

test('killed at random moments, with torn records and checkpoints', async () => {
  const result = await hammer(scratch(), 20, scratch());
  expect(result).toMatchObject(sound);
  expect(result.acknowledged).toBeGreaterThan(100);
});

test('a job goes on where it was when its owner was killed, and is applied once', async () => {
  const folder = scratch();
  const [first, second] = await Program.start(2);
  await first!.open(folder);
  await second!.open(folder);
  const client = await open(folder, { clientOnly: true });
  const job = client.call('index', { name: 'j', count: 1_500 });
  for (const owner of [first!, second!]) {
    const before = (await client.health()).writes;
    await until(async () => (await client.health()).writes > before + 2, 'the job to go on');
    await owner.kill();
    if (owner === first) await until(async () => (await second!.tell('health')).role === 'owner', 'a successor');
  }
  const last = await open(folder);
  expect(await job).toBe(1_500);
  expect(await last.call('find', 'nothing')).toEqual([]);
  expect(await last.call('integrity', undefined)).toBe('ok');
});
