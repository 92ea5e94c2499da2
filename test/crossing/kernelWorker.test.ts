// The kernels' worker dies and its program lives: every view of a cell that ran says the same.
import diagnostics from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../kernel/behaviour.ts';
import { openKernel } from '../kernel/openKernel.ts';

/** The worker that this thread started last. */
const lastWorker = (): (() => Worker) => {
  let last: Worker | undefined;
  const heard = (message: unknown): void => {
    ({ worker: last } = message as { worker: Worker });
  };
  diagnostics.subscribe('worker_threads', heard);
  onTestFinished(() => void diagnostics.unsubscribe('worker_threads', heard));
  return () => last as Worker;
};

test('a cell of a worker that died is killed for the tool and for the panel, and its output is read', async () => {
  const latest = lastWorker();
  const python = await openKernel({ backend: 'plain' });
  onTestFinished(() => python.close());
  const code = 'for i in range(3): print("line", i, flush=True)\nimport time; time.sleep(600)';
  await python.run(code, { timeout_seconds: 0.1 });
  await until('its lines', async () => (await python.ask('read_python_output')).endsWith('line 2'));
  expect((await python.list()).map(({ status }) => status)).toEqual(['running']);
  await latest().terminate();
  await until('its end in the panel', async () => (await python.list())[0]?.status === 'killed');
  expect(await python.ask('python_execution_status', { execution: 1 })).toMatch(/^In \[1\] killed, /);
  expect(await python.ask('read_python_output', { execution: 1 })).toMatch(
    /^In \[1\] killed, .*what it had not yet written is lost \| complete: no\nline 0\nline 1\nline 2/,
  );
  expect(await python.run('1 + 1')).toMatch(/^In \[2\] completed, /);
  expect((await python.list()).map(({ status }) => status)).toEqual(['completed', 'killed']);
});

test('a cell that writes into the pipe of its kernel ends that kernel alone', async () => {
  const latest = lastWorker();
  const python = await openKernel({ backend: 'plain' });
  onTestFinished(() => python.close());
  await python.run('1');
  const worker = latest();
  const code = `import os
for fd in range(3, 64):
    try: os.write(fd, b"\\0\\0\\0\\4oops")
    except OSError: pass`;
  expect(await python.run(code)).toMatch(/^In \[2\] killed, [^]*killed: it wrote what no kernel writes/);
  expect(await python.run('1 + 1')).toMatch(/^In \[3\] completed, [^]*fresh kernel/);
  expect(latest()).toBe(worker);
});
