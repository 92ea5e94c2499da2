import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Log } from '#base/log.ts';
import { connect, serve } from '#base/rpc.ts';
import type { ExecutionStore } from '#kernel/types.ts';
import { createKernels } from '#kernel/kernels.ts';
import { servePyodide } from '#kernel/backends/pyodideWorker.ts';
import { serveRegex } from '#kernel/search/regex.ts';
import type { KernelEvent, KernelHostOptions } from '#host/kernels.ts';

/**
 * The kernel's worker thread, and the threads that it starts itself, by role. It is a worker of its own, beside the
 * engine's: a million printed lines hold neither the extension host's loop nor the drawer's answers.
 */
const host = (
  { programs, folder, executionBytes, folderBytes, store, ...options }: KernelHostOptions,
  port: MessagePort,
): void => {
  let { redact } = options;
  const tell = (event: KernelEvent): void => notify(event);
  const at =
    (level: keyof Log) =>
    (message: string, error?: unknown): void => {
      const detail =
        error === undefined
          ? ''
          : ` ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)}`;
      tell({ kind: 'log', level, message: message + detail });
    };
  const kernels = createKernels({
    programs: { ...programs, worker: import.meta.filename },
    folder,
    // A message port is what `connect` uses of a worker.
    store: connect<ExecutionStore>(store as unknown as Parameters<typeof connect>[0]),
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    executionBytes,
    host: options.host,
    masks: () => redact,
    folderBytes,
    onBusy: (session, execution) => tell({ kind: 'busy', session, execution }),
  });
  const notify = serve(port, {
    ...kernels,
    setRedact: (given: { redact: boolean }) => {
      redact = given.redact;
    },
    close: () => kernels.close(),
  });
};

const { role } = workerData as { role: 'host' | 'regex' | 'pyodide' };
if (role === 'regex') serveRegex();
else if (role === 'pyodide') void servePyodide();
else if (parentPort) host(workerData as KernelHostOptions, parentPort);
