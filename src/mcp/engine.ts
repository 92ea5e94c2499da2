import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { audience } from '#base/audience.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';
import { asLoomError, LoomError } from '#base/errors.ts';
import { connect, type Client, type ClientCall } from '#base/rpc.ts';
import type { DrawerService } from '#drawer/service.ts';
import type { ExecutionList } from '#kernel/executionList.ts';
import type { ExecutionStore } from '#kernel/executionStore.ts';
import type { LedgerService } from '#ledger/service.ts';
import type { Keys } from '#storage/keySlots.ts';
import type { FolderService, StorageService } from '#storage/service.ts';

export type EngineService = DrawerService &
  LedgerService &
  StorageService &
  FolderService &
  ExecutionStore &
  ExecutionList;
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
  /** Calls `listener` with each refusal that a call got. */
  onRefusal: (listener: (error: LoomError) => void) => Disposable;
  /** Lets running calls and the drawer end in order. */
  close: () => Promise<void>;
};

type Running = { client: Client<EngineProgram>; worker: Worker };

/**
 * The engine in a worker thread of this process. It is started by its first call, and started anew by the first call
 * after its death; calls that ran when it died reject with `ENGINE_GONE`.
 *
 * `programs` is the folder that holds its program: `engine.cjs` beside a bundle, `engine.ts` in the sources. `keys` is asked
 * at each start for what may open a sealed drawer.
 */
export const startEngine = (
  programs: string,
  options: EngineOptions,
  log: Log,
  keys: () => Promise<Keys> = async () => ({}),
): Engine => {
  const bundle = join(programs, 'engine.cjs');
  const file = existsSync(bundle) ? bundle : join(programs, 'engine.ts');
  const changes = audience<void>();
  const refusals = audience<LoomError>();
  const heard = (event: EngineEvent): void => {
    if (event.kind === 'log') log[event.level](event.message);
    else changes.tell();
  };
  let running: Promise<Running> | undefined;
  let closing: Promise<void> | undefined;
  const start = async (): Promise<Running> => {
    const known = await keys();
    const worker = new Worker(file, { workerData: options, execArgv: [] });
    worker.on('error', (error) => log.error('the engine failed', error));
    worker.on('exit', () => (running = undefined));
    const client = connect<EngineProgram>(worker, heard);
    // Messages arrive in order: no call gets there before the keys.
    void client.setKeys({ keys: known }).catch(() => undefined);
    return { worker, client };
  };
  const send = async (method: keyof EngineService, args: never, call?: ClientCall): Promise<unknown> => {
    if (closing) throw new LoomError('ENGINE_GONE', 'Loom is closing. Call again when it is open.');
    running ??= start().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    const { client } = await running;
    try {
      return await client[method](args, call);
    } catch (error) {
      refusals.tell(asLoomError(error));
      throw error;
    }
  };
  const call = new Proxy({} as EngineClient, {
    get: (_, method: keyof EngineService) =>
      (method as string) === 'then' ? undefined : (args: never, more?: ClientCall) => send(method, args, more),
  });
  const close = async (): Promise<void> => {
    const last = await running;
    if (last === undefined) return;
    await last.client.close({}).catch((error: unknown) => log.error('the engine did not close in order', error));
    await last.worker.terminate();
  };
  const closeOnce = (): Promise<void> => (closing ??= close());
  return {
    call,
    onChange: changes.add,
    onRefusal: refusals.add,
    close: closeOnce,
    dispose: () => void closeOnce(),
  };
};
