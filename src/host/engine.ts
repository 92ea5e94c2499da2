import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { audience } from '#base/audience.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Log } from '#base/log.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';
import type { LoomError } from '#base/errors.ts';
import { connect, type Client } from '#base/rpc.ts';
import type { DrawerService } from '#drawer/service.ts';
import type { ExecutionList, ExecutionStore } from '#kernel/types.ts';
import type { Counter, LedgerService } from '#ledger/types.ts';
import type { Keys } from '#storage/sealing/keySlots.ts';
import type { FolderService, StorageService } from '#storage/types.ts';
import { hostWorker, type Program, type Started } from './worker.ts';

/** What a person decided about the drawer holds from the next call on, also of what runs already. */
export type PolicyService = { setPolicy: (args: { policy: DrawerPolicy }) => void };

export type EngineService = DrawerService &
  LedgerService &
  StorageService &
  FolderService &
  PolicyService &
  ExecutionStore &
  ExecutionList;
export type EngineClient = Client<EngineService>;

export type EngineProgram = Program<EngineService>;

/** What the engine's worker is started with. */
export type EngineOptions = {
  /** The drawer's folder. */
  folder: string;
  /** Loom's version, for whoever looks at who owns the drawer. */
  version: string;
  policy?: DrawerPolicy;
  /** What counts tokens from now on; entries keep the counter that counted them. */
  counter?: Counter;
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
  /** For this worker and those after it. */
  setPolicy: (policy: DrawerPolicy) => Promise<void>;
  /** Lets running calls and the drawer end in order. */
  close: () => Promise<void>;
};

/**
 * The engine in a worker thread of this process. `programs` is the folder that holds its program: `engine.cjs` beside a
 * bundle, `engine.ts` in the sources. `keys` is asked at each start for what may open a sealed drawer.
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
  let { policy } = options;
  const start = async (): Promise<Started<EngineService>> => {
    const known = await keys();
    const worker = new Worker(file, {
      workerData: { ...options, ...(policy && { policy }) } satisfies EngineOptions,
      execArgv: [],
    });
    const client = connect<EngineProgram>(worker, heard);
    // Messages arrive in order: no call gets there before the keys.
    void client.setKeys({ keys: known }).catch(() => undefined);
    return { worker, client };
  };
  const { call, close } = hostWorker<EngineService>({ name: 'the engine', start, log, onRefusal: refusals.tell });
  return {
    call,
    onChange: changes.add,
    onRefusal: refusals.add,
    setPolicy: (next) => call.setPolicy({ policy: (policy = next) }),
    close,
    dispose: () => void close(),
  };
};
