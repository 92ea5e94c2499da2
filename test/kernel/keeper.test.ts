// Records that the drawer refuses, and readers that come while one is written.
import { expect, test } from 'vitest';
import type { ExecutionStore } from '#kernel/types.ts';
import { none, openFakeKernel } from './openFakeKernel.ts';
import { openRecords, scratch } from './openRecords.ts';

/** A store that refuses records while `refuses` is set. */
const moody = async (folder: string) => {
  const { executions } = await openRecords(folder);
  const mood = { refuses: true };
  const keepExecution: ExecutionStore['keepExecution'] = async (args) => {
    if (mood.refuses) throw new Error('the disk is full');
    return executions.keepExecution(args);
  };
  return { mood, keepExecution };
};

const unsaved = 'not on disk yet, and lost if Loom ends now (the disk is full)';

test('a record that is refused is said to be, stays readable, and is tried again by who reads', async () => {
  const folder = scratch();
  const { mood, keepExecution } = await moody(folder);
  const { kernel, run, executions } = await openFakeKernel(folder, { keepExecution });
  const { complete, notes, text } = await run('a line');
  expect([complete, notes, text]).toEqual([false, [unsaved], 'a line']);
  expect((await kernel.find(1)).doubt).toBe(unsaved);
  expect((await run('stays')).info.execution).toBe(2);
  mood.refuses = false;
  expect((await kernel.find(1)).doubt).toBeUndefined();
  expect((await executions.execution({ session: 's', execution: 1 }))?.info.status).toBe('completed');
});

test('a record that was refused is tried once more at the end', async () => {
  const folder = scratch();
  const { mood, keepExecution } = await moody(folder);
  const { kernel, run, executions } = await openFakeKernel(folder, { keepExecution });
  await run('a line');
  mood.refuses = false;
  await kernel.close();
  expect((await executions.execution({ session: 's', execution: 1 }))?.info.status).toBe('completed');
});

test('nobody reads the end of a cell before it is kept; late output neither', async () => {
  const folder = scratch();
  const { executions } = await openRecords(folder);
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const keepExecution: ExecutionStore['keepExecution'] = async (args) => {
    await gate.promise;
    const answer = await executions.keepExecution(args);
    order.push('kept');
    return answer;
  };
  const { kernel, run, print, end } = await openFakeKernel(folder, { keepExecution });
  await run('waits', 0);
  end(1);
  const reading = kernel.find(1).finally(() => order.push('read'));
  // What would come of a reader that does not wait.
  await kernel.find(2).catch(() => undefined);
  gate.resolve();
  expect([(await reading).info.status, order]).toEqual(['completed', ['kept', 'read']]);
  print(1, 'late');
  const late = await kernel.find(1);
  expect([late.info.late, late.info.totalLines, order]).toEqual([true, 2, ['kept', 'read', 'kept']]);
});

test('outputs that could not be removed to make room are no fault of the cell', async () => {
  const dropExecutions: ExecutionStore['dropExecutions'] = () => Promise.reject(new Error('no'));
  const { kernel, run, errors } = await openFakeKernel(scratch(), { dropExecutions });
  await run('x'.repeat(100_000));
  expect((await kernel.find(1)).doubt).toBeUndefined();
  expect(errors.join()).toContain('the oldest outputs were not removed');
});

test('a line that does not end is in the record: written before the end of its cell, and after it', async () => {
  const { kernel, run, write, end, executions } = await openFakeKernel();
  await run('waits', 1);
  write(1, 'password=hun');
  write(1, 'ter2hunter2');
  end(1);
  await kernel.wait(1, 60_000, 1_000, none);
  write(1, ' late token=abcd');
  const { output } = await kernel.find(1);
  expect(output.stream('stdout').text).toBe('waits\npassword=‹redacted:password:14› late token=abcd');
  const record = await executions.execution({ session: 's', execution: 1 });
  expect(record?.entries).toContain('late token=abcd');
});

test('what Python said last is masked like its output', async () => {
  const { kernel, run, die, executions } = await openFakeKernel();
  await run('waits', 1);
  die('no login with password=hunter2hunter2');
  await kernel.wait(1, 60_000, 1_000, none);
  const record = await executions.execution({ session: 's', execution: 1 });
  expect(record?.info.cause).toBe(
    'Python ended with code 3; it said last: no login with password=‹redacted:password:14›',
  );
});
