// The kernels' worker, from the side of the program that started it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { audience } from '#base/audience.ts';
import type { Log } from '#base/log.ts';
import { maskSettings } from '#base/maskSettings.ts';
import type { HostDeps, HostRunning } from '#base/room.ts';
import { asLoomError } from '#base/errors.ts';
import { clientOf, connect, type Send } from '#base/rpc.ts';
import { fileOf, inSources } from '#host/programs.ts';
import { hostWorker, type Started } from '#host/worker.ts';
import type { KernelEvents } from './room.ts';
import { outputsFolder, type ExecutionList, type ExecutionStore, type KernelService } from './types.ts';

/** What the kernels' worker is started with. */
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
  masks: boolean;
};

/** What the worker tells without being asked. */
export type KernelEvent =
  | { kind: 'log'; level: keyof Log; message: string }
  /** The execution that runs now; undefined where none does any more. */
  | { kind: 'busy'; session: string; execution: number | undefined }
  /** It has no way to the engine: it wants a port. */
  | { kind: 'portless' };

/** Besides calls: a port into the engine, or why there is none. */
export type ToKernelHost = { engine: object } | { refused: { code: string; message: string } };

const megabyte = 1024 * 1024;

type Deps = HostDeps<'settings'>;
/** Bytes that one output keeps, and all of them together; smaller ones are for tests. */
export type KernelLimits = { executionBytes: number; folderBytes: number };
const usualLimits: KernelLimits = { executionBytes: 64 * megabyte, folderBytes: 512 * megabyte };

const optionsOf = ({ programs, folder, settings }: Deps, limits: KernelLimits): KernelHostOptions => {
  const up = join(programs, '..');
  return {
    role: 'host',
    host: randomUUID(),
    programs: {
      bridge: join(up, 'media/kernel'),
      pyodide: inSources(programs) ? join(up, 'node_modules/pyodide') : join(programs, 'pyodide'),
      cache: join(folder, 'cache'),
    },
    folder: join(folder, outputsFolder),
    ...limits,
    masks: settings(maskSettings).redact,
  };
};

/** Starts the worker. Its end is told to `busy`, and to the engine where cells ran in it. */
const startWorker = (
  deps: Deps,
  limits: KernelLimits,
  { busy, isClosing }: { busy: (execution: number | undefined) => void; isClosing: () => boolean },
): Started => {
  const { programs, log, engine, openPort } = deps;
  const workerData = optionsOf(deps, limits);
  const worker = new Worker(fileOf(programs, 'kernelHost'), { workerData, execArgv: [] });
  let used = false;
  const giveEngine = (): void =>
    void openPort().then(
      (port) => worker.postMessage({ engine: port } satisfies ToKernelHost, [port]),
      (error: unknown) => {
        const { code, message } = asLoomError(error);
        worker.postMessage({ refused: { code, message } } satisfies ToKernelHost);
      },
    );
  const send: Send = connect(worker, (event: KernelEvent) => {
    if (event.kind === 'log') return log[event.level](event.message);
    if (event.kind === 'portless') return giveEngine();
    used = true;
    return busy(event.execution);
  });
  worker.on('exit', () => {
    busy(undefined);
    if (!used || isClosing()) return;
    clientOf<ExecutionStore>(engine)
      .tidy({ ended: workerData.host })
      .catch((error: unknown) => log.error('cells were not marked as ended', error));
  });
  return { send, worker };
};

/** Kernels in a worker thread of this process; those of a worker that died die with it. */
export const kernelHost = (deps: Deps, given: Partial<KernelLimits> = {}): HostRunning => {
  const { log, settings, onSettings, engine } = deps;
  const busy = audience<number | undefined>();
  let closing = false;
  const start = async (): Promise<Started> =>
    startWorker(deps, { ...usualLimits, ...given }, { busy: busy.tell, isClosing: () => closing });
  const { send, tell, close } = hostWorker({ name: "the kernels' worker", start, log });
  const mask = onSettings(() => tell('setMasks', { masks: settings(maskSettings).redact }));
  const { executions } = clientOf<ExecutionList>(engine);
  const more = { onBusy: busy.add, executions };
  return {
    service: clientOf<KernelService, KernelEvents & typeof more>(send, more),
    close: async () => {
      closing = true;
      mask.dispose();
      await close();
    },
  };
};
