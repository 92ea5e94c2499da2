// A drawer with executions alone, without workers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { write } from '#base/operation.ts';
import type { Migration } from '#base/tx.ts';
import { endSessions } from '#kernel/executions/endSessions.ts';
import { createExecutionStore } from '#kernel/executions/executionStore.ts';
import { kernelMigrations } from '#kernel/executions/migrations.ts';
import { kernelOperations } from '#kernel/executions/operations.ts';
import type { ExecutionInfo, ExecutionStore } from '#kernel/types.ts';
import { openStore } from '#storage/store.ts';

type Purge = { sessions: string[]; now: number };
const operations = {
  ...kernelOperations,
  'test.run': write((tx, { sql, params }: { sql: string; params: (string | number | Uint8Array)[] }) =>
    tx.run(sql, params),
  ),
  'test.purge': write((tx, { sessions, now }: Purge) => endSessions(tx, sessions, now)),
};

export const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const openRecords = async (folder: string, migrations: readonly Migration[] = kernelMigrations) => {
  const store = await openStore({
    folder,
    operations,
    migrations: [{ room: 'kernel', migrations }],
    functions: [],
  });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await store.close();
    open = false;
  };
  onTestFinished(close);
  const outputs = join(folder, 'executions');
  const indexed: string[] = [];
  const executions = createExecutionStore(store.call, {
    folder: outputs,
    index: async ({ title }) => void indexed.push(title),
    bill: async () => undefined,
  });
  return {
    executions,
    outputs,
    indexed,
    call: store.call,
    run: (sql: string, params: (string | number | Uint8Array)[]) => store.call('test.run', { sql, params }),
    close,
    purge: (sessions: string[], now: number) => store.call('test.purge', { sessions, now }),
  };
};

export const begun = (at: number): Omit<ExecutionInfo, 'execution'> => ({
  status: 'running',
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

let files = 0;
/** A cell that begins in `pid`. */
export const begin = async (
  executions: ExecutionStore,
  { session = 's', pid = process.pid, started, host = 'h', at = 1 }: Partial<Begin> = {},
): Promise<{ execution: number; file: string }> => {
  const file = `${files++}.output`;
  const key = new Uint8Array(32);
  const info = begun(at);
  return { execution: await executions.beginExecution({ session, host, pid, started, key, file, info }), file };
};
type Begin = { session: string; pid: number; started: string | undefined; host: string; at: number };
