import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOf } from '#kernel/executions/liveness.ts';
import { kernelMigrations } from '#kernel/executions/migrations.ts';
import type { ExecutionRow } from '#kernel/types.ts';
import { begin, begun, openRecords, scratch } from './openRecords.ts';

/** No process has it: Linux ends at 2^22, others far below. */
const nobody = 2 ** 30;
/** A process that is none of Loom's, and lives. */
const other = process.ppid;
const all = { offset: 0, limit: 10 };

test('executions of all sessions, the latest first; one whose process is gone is told as killed', async () => {
  const { executions } = await openRecords(scratch());
  await begin(executions, { session: 'a', at: 1 });
  await begin(executions, { session: 'b', pid: nobody, at: 2 });
  await begin(executions, { session: 'a', at: 3 });
  await executions.keepExecution({
    session: 'a',
    info: { ...begun(3), execution: 2, status: 'error', totalLines: 7, error: { ename: 'ValueError', evalue: 'no' } },
    entries: 'é',
    bytes: 5,
  });
  const shown = ({ session, execution, status, totalLines }: ExecutionRow) => [session, execution, status, totalLines];
  const { rows, total } = await executions.executions(all);
  expect(total).toBe(3);
  expect(rows.map(shown)).toEqual([
    ['a', 2, 'error', 7],
    ['b', 1, 'killed', 0],
    ['a', 1, 'running', 0],
  ]);
  expect(rows[0]).toMatchObject({ error: { ename: 'ValueError' }, bytes: 7, goneAt: undefined });
  const own = await executions.executions({ session: 'a', offset: 1, limit: 10 });
  expect([own.total, own.rows.map(shown)]).toEqual([2, [['a', 1, 'running', 0]]]);
});

test.each([
  ['in this process', { pid: process.pid, started: startOf(process.pid) }, 'running', undefined],
  [
    'in another process that lives',
    { pid: other, started: startOf(other) },
    'running',
    /^runs in another Loom process/,
  ],
  ['in a process that tells no start', { pid: other }, 'running', /^runs in another Loom process/],
  ['in a process that is gone', { pid: nobody }, 'killed', /process that ran it ended/],
  ['in one whose number another got', { pid: other, started: `${startOf(other)}0` }, 'killed', /process that ran it/],
  ['in an earlier one of this number', { started: `${startOf(process.pid)}0` }, 'killed', /process that ran it ended/],
])('tools and panel say the same of a cell that ran %s', async (_, host, status, cause) => {
  const { executions } = await openRecords(scratch());
  const { execution } = await begin(executions, host);
  const [row] = (await executions.executions(all)).rows;
  const stored = await executions.execution({ session: 's', execution });
  for (const info of [row, stored?.info]) {
    expect(info?.status).toBe(status);
    if (cause === undefined) expect(info?.cause).toBeUndefined();
    else expect(info?.cause).toMatch(cause);
    expect(info?.lost).toEqual(status === 'killed' ? expect.stringContaining('is lost') : undefined);
  }
});

test('a worker that died takes its own cells with it, and no others', async () => {
  const { executions } = await openRecords(scratch());
  await begin(executions, { host: 'died' });
  await begin(executions, { host: 'lives' });
  await executions.tidy({ ended: 'died' });
  const { rows } = await executions.executions(all);
  expect(rows.map(({ status }) => status)).toEqual(['running', 'killed']);
});

test('tidying removes what no record names, and writes down what has ended', async () => {
  const { executions, outputs, call } = await openRecords(scratch());
  await executions.tidy({});
  mkdirSync(outputs);
  const dead = await begin(executions, { pid: nobody });
  const live = await begin(executions);
  for (const name of [
    dead.file,
    `${dead.file}.end`,
    live.file,
    'orphan.output',
    'orphan.output.end.tmp',
    'session-3.output',
  ])
    writeFileSync(join(outputs, name), 'some');
  await executions.tidy({});
  expect(readdirSync(outputs).toSorted()).toEqual([dead.file, `${dead.file}.end`, live.file].toSorted());
  expect(await call('kernel.execution', { session: 's', execution: dead.execution })).toMatchObject({
    bytes: 8,
    info: { status: 'killed', execution: dead.execution, submittedAt: 1, lost: expect.stringContaining('is lost') },
  });
  expect(await call('kernel.execution', { session: 's', execution: live.execution })).toMatchObject({
    bytes: 0,
    info: { status: 'running' },
  });
});

test('where all files are over their limit the oldest go, but for those of cells that run', async () => {
  const { executions } = await openRecords(scratch());
  const running = await begin(executions);
  const first = await begin(executions);
  const last = await begin(executions);
  for (const { execution } of [first, last])
    await executions.keepExecution({ session: 's', info: { ...begun(1), execution }, entries: undefined, bytes: 60 });
  expect(await executions.dropExecutions({ most: 100, now: 9 })).toEqual([first.file]);
  expect((await executions.execution({ session: 's', execution: running.execution }))?.file).toBe(running.file);
  const late = { session: 's', info: { ...begun(1), execution: first.execution }, entries: 'late', bytes: 60 };
  expect(await executions.keepExecution(late)).toBe(false);
  expect((await executions.executions(all)).rows[1]).toMatchObject({ goneAt: 9, bytes: 0 });
});

test('what ran in a drawer of an earlier version has its file', async () => {
  const folder = scratch();
  const earlier = await openRecords(folder, kernelMigrations.slice(0, 2));
  for (const [n, status] of ['completed', 'running'].entries()) {
    const info = JSON.stringify({ ...begun(1), execution: n + 1, status });
    await earlier.run('insert into execution values (?, ?, ?, ?, ?, null, null, 0, null, ?)', [
      'a/b c',
      n + 1,
      info,
      'h',
      nobody,
      new Uint8Array(32),
    ]);
  }
  await earlier.close();
  const { executions, outputs } = await openRecords(folder);
  mkdirSync(outputs);
  writeFileSync(join(outputs, 'a_b_c-2.output'), 'some');
  await executions.tidy({});
  expect(existsSync(join(outputs, 'a_b_c-2.output'))).toBe(true);
  const found = await Promise.all([1, 2].map((execution) => executions.execution({ session: 'a/b c', execution })));
  expect(found.map((one) => [one?.file, one?.info.status])).toEqual([
    [undefined, 'completed'],
    ['a_b_c-2.output', 'killed'],
  ]);
});
