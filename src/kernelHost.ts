// Program 4: the kernels, a worker thread of their own, and the threads that it starts itself, by role.
import { parentPort, workerData } from 'node:worker_threads';
import { LoomError, type ErrorCode } from '#base/errors.ts';
import { relayLog } from '#base/log.ts';
import { clientOf, renewable, serve, type Port, type Service } from '#base/rpc.ts';
import type { ExecutionStore } from '#kernel/types.ts';
import type { KernelEvent, KernelHostOptions, ToKernelHost } from '#kernel/host.ts';
import { createKernels } from '#kernel/kernels.ts';
import { servePyodide } from '#kernel/backends/pyodideWorker.ts';
import { serveRegex } from '#kernel/search/regex.ts';

/**
 * A worker of its own, beside the engine's: a million printed lines hold neither the extension host's loop nor the drawer's
 * answers. A cell's record goes to the engine by a port between the two, past the thread of whoever started them.
 */
const host = ({ programs, role: _, ...options }: KernelHostOptions, port: Port): void => {
  let { masks } = options;
  let tell = (_event: KernelEvent): void => undefined;
  const engine = renewable(() => tell({ kind: 'portless' }));
  const kernels = createKernels({
    ...options,
    programs: { ...programs, worker: import.meta.filename },
    store: clientOf<ExecutionStore>(engine.send),
    log: relayLog((level, message) => tell({ kind: 'log', level, message })),
    masks: () => masks,
    onBusy: (session, execution) => tell({ kind: 'busy', session, execution }),
  });
  const service: Service = {
    ...kernels,
    setMasks: (given: { masks: boolean }) => void ({ masks } = given),
  };
  tell = serve(port, (method) => (Object.hasOwn(service, method) ? service[method] : undefined));
  port.on('message', (message: ToKernelHost) => {
    if ('engine' in message) engine.take(message.engine as Port);
    else if ('refused' in message)
      engine.refuse(new LoomError(message.refused.code as ErrorCode, message.refused.message));
  });
};

const { role } = workerData as { role: 'host' | 'regex' | 'pyodide' };
if (role === 'regex') serveRegex();
else if (role === 'pyodide') void servePyodide();
else if (parentPort) host(workerData as KernelHostOptions, parentPort);
