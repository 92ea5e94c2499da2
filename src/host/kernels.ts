import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { audience } from '#base/audience.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import { connect, serve, type Client } from '#base/rpc.ts';
import { outputsFolder, type ExecutionStore, type KernelService } from '#kernel/types.ts';
import { hostWorker, type Program, type Started } from './worker.ts';

/** Whether secrets are masked in what is recorded, from the next cell on. */
export type MaskingService = { setRedact: (args: { redact: boolean }) => void };

export type KernelClient = Client<KernelService>;

/** What the kernel's worker is started with. */
export type KernelHostOptions = {
  role: 'host';
  /** Names it in the records of cells. */
  host: string;
  programs: { bridge: string; pyodide: string; cache: string };
  /** Holds the outputs that are too large for a record. */
  folder: string;
  executionBytes: number;
  folderBytes: number;
  /** Mask secrets in what is recorded. */
  redact: boolean;
  /** Serves an `ExecutionStore`. */
  store: MessagePort;
};

/** What the worker tells without being asked. */
export type KernelEvent =
  | { kind: 'log'; level: keyof Log; message: string }
  /** The execution that runs now; undefined where none does any more. */
  | { kind: 'busy'; session: string; execution: number | undefined };

export type KernelHost = Disposable & {
  call: KernelClient;
  /** Calls `listener` when a cell begins, and when it has ended. */
  onBusy: (listener: (execution: number | undefined) => void) => Disposable;
  /** For this worker and those after it. */
  setRedact: (redact: boolean) => Promise<void>;
  /** Ends every kernel and its processes. */
  close: () => Promise<void>;
};

export type StartKernelHost = {
  /** The folder of the programs: `kernelHost.cjs` beside a bundle, `kernelHost.ts` in the sources. */
  programs: string;
  /** The drawer's folder: outputs are kept beside it, the cache too. */
  drawer: string;
  store: ExecutionStore;
  log: Log;
  /** Mask secrets in what is recorded; on where left out. */
  redact?: boolean;
  executionBytes?: number;
  folderBytes?: number;
};

const megabyte = 1024 * 1024;
/** The bundle where there is one, as for the engine. */
const inSources = (programs: string): boolean => !existsSync(join(programs, 'kernelHost.cjs'));

/** Starts the worker with its own way to the drawer; the port goes with it. */
const start = async (
  { programs, drawer, store, log, ...limits }: StartKernelHost,
  onBusy: (execution: number | undefined) => void,
): Promise<Started<KernelService & MaskingService>> => {
  const { port1, port2 } = new MessageChannel();
  const up = join(programs, '..');
  const sources = inSources(programs);
  const options: KernelHostOptions = {
    role: 'host',
    host: randomUUID(),
    programs: {
      bridge: join(up, 'media/kernel'),
      pyodide: sources ? join(up, 'node_modules/pyodide') : join(programs, 'pyodide'),
      cache: join(drawer, 'cache'),
    },
    folder: join(drawer, outputsFolder),
    executionBytes: limits.executionBytes ?? 64 * megabyte,
    folderBytes: limits.folderBytes ?? 512 * megabyte,
    redact: limits.redact ?? true,
    store: port2,
  };
  const file = join(programs, sources ? 'kernelHost.ts' : 'kernelHost.cjs');
  const worker = new Worker(file, { workerData: options, transferList: [port2], execArgv: [] });
  serve(port1, {
    beginExecution: (args: never) => store.beginExecution(args),
    keepExecution: (args: never) => store.keepExecution(args),
    indexExecution: (args: never) => store.indexExecution(args),
    execution: (args: never) => store.execution(args),
    dropExecutions: (args: never) => store.dropExecutions(args),
    purges: (args: never) => store.purges(args),
  });
  const running = new Set<string>();
  const client = connect<Program<KernelService & MaskingService>>(worker, (event: KernelEvent) => {
    if (event.kind === 'log') return log[event.level](event.message);
    running[event.execution === undefined ? 'delete' : 'add'](event.session);
    return onBusy(event.execution);
  });
  worker.on('exit', () => {
    onBusy(undefined);
    if (running.size > 0)
      store.tidy({ ended: options.host }).catch((error: unknown) => log.error('cells were not marked as ended', error));
    port1.close();
  });
  return { client, worker };
};

/** Kernels in a worker thread of this process; those of a worker that died die with it. */
export const startKernelHost = (options: StartKernelHost): KernelHost => {
  const busy = audience<number | undefined>();
  let { redact } = options;
  const { call, close } = hostWorker<KernelService & MaskingService>({
    name: "the kernel's worker",
    start: () => start({ ...options, ...(redact !== undefined && { redact }) }, busy.tell),
    log: options.log,
  });
  return {
    call,
    onBusy: busy.add,
    setRedact: (next) => call.setRedact({ redact: (redact = next) }),
    close,
    dispose: () => void close(),
  };
};
