// A program in a worker thread: started when it is needed, and anew after its death.
import type { Worker } from 'node:worker_threads';
import { asLoomError, LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Send } from '#base/rpc.ts';

/** A worker that was started, and the calls into its program, which answers `close` when what runs is finished. */
export type Started = { send: Send; worker: Worker };

export type WorkerHost = {
  send: Send;
  /** Calls a worker that runs; one that is started later is told at its start. */
  tell: (method: string, args: unknown) => void;
  /** The worker that runs; it is started where none does. */
  begun: () => Promise<Started>;
  /** Lets running calls end in order; no later call starts the worker again. */
  close: () => Promise<void>;
};

export type HostedWorker = {
  /** Names the program in the log. */
  name: string;
  start: () => Promise<Started>;
  log: Log;
  /** Hears each refusal that a call got. */
  onRefusal?: (error: LoomError) => void;
};

/**
 * Keeps a program in a worker thread of this process: started by its first call, and anew by the first call after its
 * death. Calls that ran when it died, and calls after `close`, reject with `ENGINE_GONE`.
 */
export const hostWorker = ({ name, start, log, onRefusal }: HostedWorker): WorkerHost => {
  let running: Promise<Started> | undefined;
  let closing: Promise<void> | undefined;
  const begin = async (): Promise<Started> => {
    try {
      const started = await start();
      started.worker.on('error', (error) => log.error(`${name} failed`, error));
      started.worker.on('exit', () => (running = undefined));
      return started;
    } catch (error) {
      running = undefined;
      throw error;
    }
  };
  const begun = async (): Promise<Started> => {
    if (closing) throw new LoomError('ENGINE_GONE', 'Loom is closing. Call again when it is open.');
    return (running ??= begin());
  };
  const end = async (): Promise<void> => {
    // Whoever called has heard why it did not start.
    const last = await running?.catch(() => undefined);
    if (last === undefined) return;
    await last.send('close', {}).catch((error: unknown) => log.error(`${name} did not close in order`, error));
    await last.worker.terminate();
  };
  return {
    begun,
    tell: (method, args) =>
      void running
        ?.then(({ send }) => send(method, args))
        .catch((error: unknown) => log.error(`${name} was not told of ${method}`, error)),
    send: async (method, args, call) => {
      const { send } = await begun();
      try {
        return await send(method, args, call);
      } catch (error) {
        onRefusal?.(asLoomError(error));
        throw error;
      }
    },
    close: () => (closing ??= end()),
  };
};
