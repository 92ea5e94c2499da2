import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import { connect, type Client } from '#base/rpc.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';
import type { DrawerService } from '#drawer/service.ts';
import type { LedgerService } from '#ledger/service.ts';
import type { StorageService } from '#storage/service.ts';

export type EngineService = DrawerService & LedgerService & StorageService;
export type EngineClient = Client<EngineService>;

/** What the worker's program answers: the service, and its own end. */
export type EngineProgram = EngineService & {
  /** Finishes what runs, writes what waits, and gives the drawer up. */
  close: (args: Record<string, never>) => Promise<void>;
};

/** What the engine's worker is started with. */
export type EngineOptions = {
  /** The drawer's folder. */
  folder: string;
  /** Loom's version, for whoever looks at who owns the drawer. */
  version: string;
  policy?: DrawerPolicy;
};

/** What the engine tells without being asked. */
export type EngineEvent =
  /** Something was committed to the drawer, here or by another process. */
  { kind: 'changed' } | { kind: 'log'; level: keyof Log; message: string };

export type Engine = Disposable & {
  call: EngineClient;
  /** Calls `listener` after each commit to the drawer, whoever made it. */
  onChange: (listener: () => void) => Disposable;
  /** Lets running calls and the drawer end in order. */
  close: () => Promise<void>;
};

type Running = { client: Client<EngineProgram>; worker: Worker; gone: boolean };

/**
 * The engine in a worker thread of this process. It is started by its first call, and started anew by the first call
 * after its death; calls that ran when it died reject with `ENGINE_GONE`.
 *
 * `folder` holds the program: `engine.cjs` beside a bundle, `engine.ts` in the sources.
 */
export const startEngine = (programs: string, options: EngineOptions, log: Log): Engine => {
  const bundle = join(programs, 'engine.cjs');
  const file = existsSync(bundle) ? bundle : join(programs, 'engine.ts');
  const listeners = new Set<() => void>();
  const heard = (event: EngineEvent): void => {
    if (event.kind === 'log') return log[event.level](event.message);
    for (const listener of listeners) listener();
  };
  const start = (): Running => {
    const worker = new Worker(file, { workerData: options, execArgv: [] });
    const running: Running = { worker, gone: false, client: connect<EngineProgram>(worker, heard) };
    worker.on('error', (error) => log.error('the engine failed', error));
    worker.on('exit', () => (running.gone = true));
    return running;
  };
  let running: Running | undefined;
  let closed = false;
  const current = (): Running => {
    if (running === undefined || (running.gone && !closed)) running = start();
    return running;
  };
  const call = new Proxy({} as EngineClient, {
    get: (_, method) => (method === 'then' ? undefined : Reflect.get(current().client, method)),
  });
  const close = async (): Promise<void> => {
    closed = true;
    if (running === undefined || running.gone) return;
    await running.client.close({}).catch((error: unknown) => log.error('the engine did not close in order', error));
    await running.worker.terminate();
  };
  return {
    call,
    onChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    close,
    dispose: () => void close(),
  };
};
