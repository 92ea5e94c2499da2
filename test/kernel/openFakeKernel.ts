// A kernel without Python: its cells print their code.
import { onTestFinished } from 'vitest';
import { lineLog } from '#base/log.ts';
import type { KernelListener } from '#kernel/backends/backend.ts';
import { History } from '#kernel/executions/history.ts';
import { Kernel } from '#kernel/kernel.ts';
import type { ExecutionAnswer, ExecutionStore } from '#kernel/types.ts';
import { openRecords, scratch } from './openRecords.ts';

export const none = new AbortController().signal;

/** A cell ends by itself where its code does not say `waits`. */
export const openFakeKernel = async (folder = scratch(), store: Partial<ExecutionStore> = {}) => {
  const records = await openRecords(folder);
  const errors: string[] = [];
  const log = lineLog((line) => errors.push(line), 'WARN');
  let listener: KernelListener | undefined;
  const write = (id: number, text: string): void => listener?.onEvent({ ev: 'stream', chunks: [['stdout', id, text]] });
  const print = (id: number, text: string): void => write(id, `${text}\n`);
  const die = (lastWords: string): void => listener?.onEnd({ cause: 'Python ended with code 3', lastWords });
  const end = (id: number): void => listener?.onEvent({ ev: 'done', id, count: 1 });
  const history = new History('s', {
    folder: records.outputs,
    store: { ...records.executions, ...store },
    log,
    host: 'h',
    executionBytes: 1_000_000,
    folderBytes: 10_000_000,
    masks: () => true,
  });
  const kernel = new Kernel(history, {
    start: async (_, given) => {
      listener = given;
      return {
        info: { engine: 'plain', engineVersion: null, python: '3', executable: 'none', pid: undefined },
        execute: (id, code) => {
          print(id, code);
          if (!code.includes('waits')) end(id);
        },
        interrupt: () => undefined,
        shutdown: async () => undefined,
      };
    },
    log,
    onBusy: () => undefined,
  });
  onTestFinished(() => kernel.close());
  const choice = { backend: 'plain' as const, cwd: '/' };
  const run = (code: string, wait = 60_000): Promise<ExecutionAnswer> =>
    kernel.run({ session: 's', code, choice, wait, units: 1_000 }, none);
  return { ...records, errors, kernel, run, write, print, end, die };
};
