import type { Worker } from 'node:worker_threads';
import { asLoomError, LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Client, ClientCall, Service } from '#base/rpc.ts';

/** What a worker's program answers: its service, and its own end, before which what runs is finished. */
export type Program<S extends Service> = S & { close: (args: Record<string, never>) => Promise<void> };

/** A worker that was started, and the calls into its program. */
export type Started<S extends Service> = { client: Client<Program<S>>; worker: Worker };

export type WorkerHost<S extends Service> = {
  call: Client<S>;
  /** Lets running calls end in order; no later call starts the worker again. */
  close: () => Promise<void>;
};

export type HostedWorker<S extends Service> = {
  /** Names the program in the log. */
  name: string;
  start: () => Promise<Started<S>>;
  log: Log;
  /** Hears each refusal that a call got. */
  onRefusal?: (error: LoomError) => void;
};

/**
 * Keeps a program in a worker thread of this process: started by its first call, and anew by the first call after its
 * death. Calls that ran when it died, and calls after `close`, reject with `ENGINE_GONE`.
 */
export const hostWorker = <S extends Service>({ name, start, log, onRefusal }: HostedWorker<S>): WorkerHost<S> => {
  let running: Promise<Started<S>> | undefined;
  let closing: Promise<void> | undefined;
  const begin = async (): Promise<Started<S>> => {
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
  const send = async (method: keyof S, args: never, more: ClientCall | undefined): Promise<unknown> => {
    if (closing) throw new LoomError('ENGINE_GONE', 'Loom is closing. Call again when it is open.');
    const { client } = await (running ??= begin());
    try {
      return await client[method](args, more);
    } catch (error) {
      onRefusal?.(asLoomError(error));
      throw error;
    }
  };
  const end = async (): Promise<void> => {
    // Whoever called has heard why it did not start.
    const last = await running?.catch(() => undefined);
    if (last === undefined) return;
    await last.client.close({}).catch((error: unknown) => log.error(`${name} did not close in order`, error));
    await last.worker.terminate();
  };
  return {
    call: new Proxy({} as Client<S>, {
      // A client is awaited by accident now and then; it must not look like a promise.
      get: (_, method: keyof S & string) =>
        method === 'then' ? undefined : (args: never, more?: ClientCall) => send(method, args, more),
    }),
    close: () => (closing ??= end()),
  };
};
