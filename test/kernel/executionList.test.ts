import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutionStore } from '#kernel/executions/executionStore.ts';
import { kernelMigrations } from '#kernel/executions/migrations.ts';
import { kernelOperations } from '#kernel/executions/operations.ts';
import type { ExecutionRow } from '#kernel/types.ts';
import { openStore } from '#storage/store.ts';

/** No process has it: Linux ends at 2^22, others far below. */
const nobody = 2 ** 30;

const begun = (at: number) => ({
  status: 'running' as const,
  fullOutput: false,
  submittedAt: at,
  updatedAt: at,
  completedAt: undefined,
  kernelPid: undefined,
  kernelCount: undefined,
  error: undefined,
  cause: undefined,
  totalLines: 0,
  late: false,
});

test('executions of all sessions, the latest first; one whose process is gone is told as killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-executions-'));
  const store = await openStore({
    folder,
    operations: kernelOperations,
    migrations: [{ room: 'kernel', migrations: kernelMigrations }],
    functions: [],
  });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const around = { folder, index: async () => undefined, bill: async () => undefined };
  const executions = createExecutionStore(store.call, around);
  const begin = (session: string, pid: number, at: number): Promise<number> =>
    executions.beginExecution({
      session,
      host: 'h',
      pid,
      started: undefined,
      key: new Uint8Array(32),
      file: `${session}${at}.output`,
      info: begun(at),
    });
  await begin('a', process.pid, 1);
  await begin('b', nobody, 2);
  await begin('a', process.pid, 3);
  await executions.keepExecution({
    session: 'a',
    info: { ...begun(3), execution: 2, status: 'error', totalLines: 7, error: { ename: 'ValueError', evalue: 'no' } },
    entries: '',
    bytes: 0,
  });
  const shown = ({ session, execution, status, totalLines }: ExecutionRow) => [session, execution, status, totalLines];
  const all = await executions.executions({ offset: 0, limit: 10 });
  expect(all.total).toBe(3);
  expect(all.rows.map(shown)).toEqual([
    ['a', 2, 'error', 7],
    ['b', 1, 'killed', 0],
    ['a', 1, 'running', 0],
  ]);
  expect(all.rows[0]).toMatchObject({ error: { ename: 'ValueError' }, bytes: 0, goneAt: undefined });
  const own = await executions.executions({ session: 'a', offset: 1, limit: 10 });
  expect([own.total, own.rows.map(shown)]).toEqual([2, [['a', 1, 'running', 0]]]);
});
