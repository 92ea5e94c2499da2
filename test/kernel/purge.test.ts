// A session is purged: what its cells put out is nowhere any more, and that is said.
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { none, openFakeKernel } from './openFakeKernel.ts';
import { begin, scratch } from './openRecords.ts';

const at = Date.UTC(2026, 0, 2);
const purged = /purged .*2026-01-02T00:00:00.000Z/;

test('after a purge nothing of a session is read, from memory or from disk, and the refusal says when it went', async () => {
  const { kernel, run, purge, executions, outputs } = await openFakeKernel();
  const long = 'a line of many\n'.repeat(10_000);
  await run('the first');
  await run(long);
  expect((await kernel.find(1)).output.stream('combined').totalLines).toBe(1);
  expect(readdirSync(outputs)).toHaveLength(1);
  await purge(['s', 'never used'], at);
  await executions.tidy({});
  expect(readdirSync(outputs)).toEqual([]);
  for (const number of [1, 2]) {
    await expect(kernel.find(number)).rejects.toThrow(purged);
    await expect(kernel.wait(number, 0, 1_000, none)).rejects.toMatchObject({ code: 'EXECUTION_NOT_FOUND' });
  }
  await expect(kernel.find(undefined)).rejects.toThrow(/^No cell has been run .* since it was purged on 2026/);
  await expect(kernel.find(3)).rejects.toThrow(/^There is no execution 3/);
  await expect(kernel.find(-1)).rejects.toThrow(/^There is no execution -1/);
  expect((await executions.executions({ offset: 0, limit: 10 })).total).toBe(0);
});

test('numbers go on after a purge, and each purge keeps its own time', async () => {
  const { kernel, run, purge } = await openFakeKernel();
  await run('one');
  await purge(['s'], at);
  expect((await run('two')).info.execution).toBe(2);
  await purge(['s'], at + 86_400_000);
  await purge(['s'], at + 2 * 86_400_000);
  expect((await run('three')).info.execution).toBe(3);
  await expect(kernel.find(1)).rejects.toThrow('2026-01-02');
  await expect(kernel.find(2)).rejects.toThrow('2026-01-03');
  expect((await kernel.find(3)).info.status).toBe('completed');
});

test('another session keeps what it has', async () => {
  const { executions, purge } = await openFakeKernel();
  await begin(executions, { session: 'other' });
  await purge(['s'], at);
  expect(await executions.execution({ session: 'other', execution: 1 })).toBeDefined();
  expect(await executions.purges({ session: 'other' })).toEqual([]);
});

test('a cell that runs while its session is purged goes on; its output is not kept, and nothing fails', async () => {
  const { kernel, run, print, end, purge, executions, outputs, indexed, errors, call } = await openFakeKernel();
  expect((await run(`waits ${'x'.repeat(100_000)}`, 0)).info.status).toBe('running');
  expect(readdirSync(outputs)).toHaveLength(1);
  await purge(['s'], at);
  await executions.tidy({});
  const waiting = kernel.wait(1, 60_000, 1_000, none);
  await expect(kernel.find(1)).rejects.toThrow(purged);
  await expect(kernel.find(undefined)).rejects.toThrow(purged);
  print(1, 'y'.repeat(200_000));
  end(1);
  const { info, text, complete, notes } = await waiting;
  expect([info.status, text, complete]).toEqual(['completed', '', false]);
  expect(notes.join()).toMatch(purged);
  await expect(kernel.find(1)).rejects.toThrow(purged);
  expect((await run('2')).info.execution).toBe(2);
  await kernel.close();
  expect(existsSync(outputs) && readdirSync(outputs)).toEqual([]);
  expect(await call('kernel.execution', { session: 's', execution: 1 })).toBeUndefined();
  expect([indexed, errors]).toEqual([['In [2] output'], []]);
});

test('a cell that nobody asks about after the purge leaves nothing either', async () => {
  const { kernel, run, print, end, purge, outputs, indexed, errors } = await openFakeKernel();
  const running = run(`waits ${'x'.repeat(100_000)}`);
  while (kernel.state().current === undefined) await nextTurn();
  await purge(['s'], at);
  print(1, 'y'.repeat(500_000));
  end(1);
  const { text, notes } = await running;
  expect([text, notes]).toEqual(['', [expect.stringMatching(purged)]]);
  await kernel.close();
  expect([readdirSync(outputs), indexed, errors]).toEqual([[], [], []]);
});

test('late output of a cell whose output made room is not kept, and the refusal stays the same', async () => {
  const { kernel, run, print, executions } = await openFakeKernel();
  await run('x'.repeat(100_000));
  await executions.dropExecutions({ most: 0, now: at });
  print(1, 'late');
  const gone = { code: 'OUTPUT_GONE', message: expect.stringContaining('was removed on 2026-01-02') };
  await expect(kernel.find(1)).rejects.toMatchObject(gone);
  await expect(kernel.find(1)).rejects.toMatchObject(gone);
});

test('another process learns of the purge when it reads', async () => {
  const folder = scratch();
  const { kernel, run, purge } = await openFakeKernel(folder);
  await run('read before');
  const beside = await openFakeKernel(folder);
  expect((await beside.kernel.find(1)).output.stream('combined').totalLines).toBe(1);
  await purge(['s'], at);
  await expect(beside.kernel.find(1)).rejects.toThrow(purged);
  await expect(kernel.find(1)).rejects.toThrow(purged);
});
