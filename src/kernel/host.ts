// The kernels' worker, from the side of the program that started it.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { audience } from '#base/audience.ts';
import type { Log } from '#base/log.ts';
import { maskSettings } from '#base/maskSettings.ts';
import type { HostDeps, HostPart, HostRunning } from '#base/room.ts';
import { asLoomError } from '#base/errors.ts';
import { clientOf, connect } from '#base/rpc.ts';
import { fileOf, inSources } from '#host/programs.ts';
import { hostWorker, type Started } from '#host/worker.ts';
import type { ExecutionList } from './executions/executionList.ts';
import type { KernelEvents, KernelService } from './types.ts';

/** What the kernels' worker is started with. */
export type KernelHostOptions = {
  role: 'host';
  programs: { bridge: string; pyodide: string; cache: string };
  /** Holds the outputs that are too large for a record. */
  folder: string;
  executionBytes: number;
  folderBytes: number;
  /** Mask secrets in what is recorded. */
  redact: boolean;
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
    programs: {
      bridge: join(up, 'media/kernel'),
      pyodide: inSources(programs) ? join(up, 'node_modules/pyodide') : join(programs, 'pyodide'),
      cache: join(folder, 'cache'),
    },
    folder: join(folder, 'executions'),
    ...limits,
    redact: settings(maskSettings).redact,
  };
};

/** Kernels in a worker thread of this process; those of a worker that died die with it. */
export const kernelHost =
  (given: Partial<KernelLimits> = {}): HostPart =>
  (deps: Deps): HostRunning => {
    const limits = { ...usualLimits, ...given };
    const { programs, log, settings, onSettings, engine, openPort } = deps;
    const busy = audience<number | undefined>();
    const start = async (): Promise<Started> => {
      const worker = new Worker(fileOf(programs, 'kernelHost'), { workerData: optionsOf(deps, limits), execArgv: [] });
      const giveEngine = (): void =>
        void openPort().then(
          (port) => worker.postMessage({ engine: port } satisfies ToKernelHost, [port]),
          (error: unknown) => {
            const { code, message } = asLoomError(error);
            worker.postMessage({ refused: { code, message } } satisfies ToKernelHost);
          },
        );
      const send = connect(worker, (event: KernelEvent) => {
        if (event.kind === 'log') log[event.level](event.message);
        else if (event.kind === 'busy') busy.tell(event.execution);
        else giveEngine();
      });
      worker.on('exit', () => busy.tell(undefined));
      return { send, worker };
    };
    const { send, tell, close } = hostWorker({ name: "the kernels' worker", start, log });
    const mask = onSettings(() => tell('setRedact', settings(maskSettings)));
    const more: KernelEvents & ExecutionList = {
      onBusy: busy.add,
      executions: (args) => engine('executions', args) as ReturnType<ExecutionList['executions']>,
    };
    return {
      service: clientOf<KernelService, KernelEvents & ExecutionList>(send, undefined, more),
      close: async () => {
        mask.dispose();
        await close();
      },
    };
  };
