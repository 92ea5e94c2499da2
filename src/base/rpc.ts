// Calls between threads: a service on one side, typed calls on the other.
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

/** What both a worker and a message port have. */
export type Port = {
  postMessage: (message: unknown) => void;
  // oxlint-disable-next-line typescript/no-explicit-any -- Node's own say so too, and nothing stricter fits them
  on: (event: string, listener: (what: any) => void) => unknown;
};

/** Answers every request on `port`; the function it returns sends the other side an event. */
export const serve = (
  port: Port,
  find: (method: string) => Service[string] | undefined,
): ((event: unknown) => void) => {
  const running = new Map<number, AbortController>();
  const post = (reply: Reply): void => port.postMessage(reply);
  const answer = async (id: number, method: string, args: never): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const run = find(method);
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
    else if ('method' in request) void answer(request.id, request.method, request.args);
  });
  return (event) => post({ event });
};

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void; progress: ClientCall['progress'] };

/** One call by name. Rejects with a LoomError. */
export type Send = (method: string, args: unknown, call?: ClientCall) => Promise<unknown>;

/** Calls into a worker or through a port. Its end rejects every pending call, and every later one, with `ENGINE_GONE`. */
export const connect = (port: Port, onEvent?: (event: never) => void): Send => {
  const pending = new Map<number, Pending>();
  let gone: LoomError | undefined;
  const end = (why: string, cause?: unknown): void => {
    gone ??= new LoomError('ENGINE_GONE', `Loom's worker ended (${why}). Call again.`, { cause });
    for (const { reject } of pending.values()) reject(gone);
    pending.clear();
  };
  port.on('message', (reply: Reply) => {
    if ('event' in reply) return onEvent?.(reply.event as never);
    const call = pending.get(reply.id);
    if ('share' in reply) return call?.progress?.(reply.share, reply.words);
    pending.delete(reply.id);
    if ('value' in reply) return call?.resolve(reply.value);
    const error = new LoomError(reply.error.code, reply.error.message);
    if (reply.error.stack !== undefined) error.stack = reply.error.stack;
    return call?.reject(error);
  });
  port.on('error', (error: Error) => end(error.message, error));
  port.on('exit', (code: number) => end(`exit code ${code}`));
  port.on('close', () => end('the other side is gone'));
  let last = 0;
  return (method, args, { signal, progress } = {}) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      const id = ++last;
      const cancel = (): void => port.postMessage({ cancel: id } satisfies Request);
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener('abort', cancel);
          then(value);
        };
      pending.set(id, { resolve: settle(resolve), reject: settle(reject), progress });
      signal?.addEventListener('abort', cancel, { once: true });
      port.postMessage({ id, method, args: args as never } satisfies Request);
      if (signal?.aborted) cancel();
    });
};

/** Calls through a port that somebody else opens. Where none is open, `ask` is for another one, and calls wait for it. */
export const renewable = (
  ask: () => void,
): { send: Send; take: (port: Port) => void; refuse: (error: LoomError) => void } => {
  let open: Send | undefined;
  let waiting: PromiseWithResolvers<Send> | undefined;
  const next = (): Promise<Send> => {
    if (waiting === undefined) {
      waiting = Promise.withResolvers();
      ask();
    }
    return waiting.promise;
  };
  return {
    send: async (method, args, call) => (open ?? (await next()))(method, args, call),
    take: (port) => {
      const send = (open = connect(port));
      port.on('close', () => {
        if (open === send) open = undefined;
      });
      waiting?.resolve(send);
      waiting = undefined;
    },
    refuse: (error) => {
      waiting?.reject(error);
      waiting = undefined;
    },
  };
};

/** Typed calls of a service by way of `send`. `more` stands beside them. */
export const clientOf = <S extends Service, M extends object = object>(send: Send, more: M = {} as M): Client<S> & M =>
  new Proxy(more as Client<S> & M, {
    get: (own, method) => {
      // A client is awaited by accident now and then; it must not look like a promise.
      if (method === 'then') return undefined;
      if (Object.hasOwn(own, method)) return own[method as keyof M];
      return (args: unknown, call?: ClientCall) => send(String(method), args, call);
    },
  });
