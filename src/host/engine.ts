// The engine's worker, from the side of the program that started it.
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { audience } from '#base/audience.ts';
import type { Disposable } from '#base/disposable.ts';
import type { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { connect, type Send } from '#base/rpc.ts';
import type { Snapshot } from '#base/settings.ts';
import type { Keys } from '#storage/types.ts';
import { fileOf } from './programs.ts';
import { hostWorker, type Started } from './worker.ts';

/** What the engine's worker is started with. */
export type EngineOptions = {
  /** The drawer's folder. */
  folder: string;
  /** Loom's version, for whoever looks at who owns the drawer. */
  version: string;
  /** What a person decided, without secrets. */
  settings: Snapshot;
};

/** What the engine tells without being asked. */
export type EngineEvent =
  /** Something was committed to the drawer, here or by another process. */
  | { kind: 'changed' }
  | { kind: 'log'; level: keyof Log; message: string }
  /** Of a drawer that was sealed when it was made: for a person, once. */
  | { kind: 'recoveryKey'; key: string };

/** Besides calls: a port by which another worker calls a room. */
export type ToEngine = { peer: MessagePort; room: string };

export type Engine = Disposable & {
  /** Calls `room.method`. */
  send: Send;
  /** Calls `listener` after each commit to the drawer, whoever made it. */
  onChange: (listener: () => void) => Disposable;
  /** Calls `listener` with each refusal that a call got. */
  onRefusal: (listener: (error: LoomError) => void) => Disposable;
  /** For this worker and those after it. */
  setSettings: (settings: Snapshot) => void;
  /** A port into a room of the engine, to be handed to another worker; it closes when the engine ends. */
  openPort: (room: string) => Promise<MessagePort>;
  /** Lets running calls and the drawer end in order. */
  close: () => Promise<void>;
};

/**
 * The engine in a worker thread of this process; `programs` is the folder of Loom's programs. `keys` is asked at each start
 * for what may open a sealed drawer; where they ask for a recovery key, `onRecoveryKey` tells it to a person.
 */
export const startEngine = (
  programs: string,
  options: EngineOptions,
  log: Log,
  keys: () => Promise<Keys> = async () => ({}),
  onRecoveryKey: (key: string) => void = () => undefined,
): Engine => {
  const changes = audience<void>();
  const refusals = audience<LoomError>();
  const heard = (event: EngineEvent): void => {
    if (event.kind === 'log') log[event.level](event.message);
    else if (event.kind === 'recoveryKey') onRecoveryKey(event.key);
    else changes.tell();
  };
  let { settings } = options;
  const start = async (): Promise<Started> => {
    const known = await keys();
    const workerData: EngineOptions = { ...options, settings };
    const worker = new Worker(fileOf(programs, 'engine'), { workerData, execArgv: [] });
    const send = connect(worker, heard);
    // Messages arrive in order: no call gets there before the keys. Whoever calls hears why it did not start.
    void send('storage.setKeys', { keys: known }).catch(() => undefined);
    return { worker, send };
  };
  const { send, tell, begun, close } = hostWorker({ name: 'the engine', start, log, onRefusal: refusals.tell });
  return {
    send,
    onChange: changes.add,
    onRefusal: refusals.add,
    setSettings: (next) => tell('setSettings', { settings: (settings = next) }),
    openPort: async (room) => {
      const { worker } = await begun();
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ peer: port1, room } satisfies ToEngine, [port1]);
      return port2;
    },
    close,
    dispose: () => void close(),
  };
};
