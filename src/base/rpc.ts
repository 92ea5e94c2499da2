import type { MessagePort, Worker } from 'node:worker_threads';
import { asLoomError, LoomError, type ErrorCode } from './errors.ts';

/** What a method is given besides its argument. */
export type CallControl = {
  /** Aborts when the caller gives up. */
  signal: AbortSignal;
  /** Tells the caller how far the work is: a share from 0 to 1 and a few words. */
  progress: (share: number, words: string) => void;
};
/** Methods with one argument that survives a structured clone. */
export type Service = Record<string, (args: never, control: CallControl) => unknown>;

export type ClientCall = { signal?: AbortSignal | undefined; progress?: CallControl['progress'] | undefined };
export type Client<S extends Service> = {
  [K in keyof S]: (args: Parameters<S[K]>[0], call?: ClientCall) => Promise<Awaited<ReturnType<S[K]>>>;
};

type Request = { id: number; method: string; args: never } | { cancel: number };
type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { code: ErrorCode; message: string; stack: string | undefined } }
  | { id: number; share: number; words: string }
  | { event: unknown };

/** Answers every request on `port` from `service`; the function it returns sends the other side an event. */
export const serve = (port: MessagePort, service: Service): ((event: unknown) => void) => {
  const running = new Map<number, AbortController>();
  const post = (reply: Reply): void => port.postMessage(reply);
  const answer = async (id: number, method: string, args: never): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const run = service[method];
      if (run === undefined) throw new LoomError('INTERNAL', `no method ${method}`);
      const progress = (share: number, words: string): void => post({ id, share, words });
      post({ id, value: await run(args, { signal: abort.signal, progress }) });
    } catch (thrown) {
      const { code, message, cause, stack } = asLoomError(thrown);
      post({ id, error: { code, message, stack: cause instanceof Error ? cause.stack : stack } });
    } finally {
      running.delete(id);
    }
  };
  port.on('message', (request: Request) => {
    if ('cancel' in request) running.get(request.cancel)?.abort();
    else void answer(request.id, request.method, request.args);
  });
  return (event) => post({ event });
};

type Pending = { resolve: (value: never) => void; reject: (error: Error) => void; progress: ClientCall['progress'] };

/** Typed calls into a worker. Its death rejects every pending call, and every later one, with `ENGINE_GONE`. */
export const connect = <S extends Service>(worker: Worker, onEvent?: (event: never) => void): Client<S> => {
  const pending = new Map<number, Pending>();
  let gone: LoomError | undefined;
  const end = (why: string, cause?: unknown): void => {
    gone ??= new LoomError('ENGINE_GONE', `Loom's worker ended (${why}). Call again.`, { cause });
    for (const { reject } of pending.values()) reject(gone);
    pending.clear();
  };
  worker.on('message', (reply: Reply) => {
    if ('event' in reply) return onEvent?.(reply.event as never);
    const call = pending.get(reply.id);
    if ('share' in reply) return call?.progress?.(reply.share, reply.words);
    pending.delete(reply.id);
    if ('value' in reply) return call?.resolve(reply.value as never);
    const error = new LoomError(reply.error.code, reply.error.message);
    if (reply.error.stack !== undefined) error.stack = reply.error.stack;
    return call?.reject(error);
  });
  worker.on('error', (error) => end(error.message, error));
  worker.on('exit', (code) => end(`exit code ${code}`));
  let last = 0;
  const send = (method: string, args: never, { signal, progress }: ClientCall): Promise<never> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      const id = ++last;
      const cancel = (): void => worker.postMessage({ cancel: id } satisfies Request);
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener('abort', cancel);
          then(value);
        };
      pending.set(id, { resolve: settle(resolve), reject: settle(reject), progress });
      signal?.addEventListener('abort', cancel, { once: true });
      worker.postMessage({ id, method, args } satisfies Request);
      if (signal?.aborted) cancel();
    });
  return new Proxy({} as Client<S>, {
    // A client is awaited by accident now and then; it must not look like a promise.
    get: (_, method) =>
      method === 'then' ? undefined : (args: never, call: ClientCall = {}) => send(String(method), args, call),
  });
};
