import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { LoomError } from '#base/errors.ts';
import { clientOf, connect, serve, type CallControl, type Port, type Service } from '#base/rpc.ts';

const service = {
  double: (n: number) => n * 2,
  refuse: () => {
    throw new LoomError('NOT_FOUND', 'no such thing');
  },
  break: () => {
    throw new TypeError('a fault');
  },
  wait: (_: null, { signal, progress }: CallControl) =>
    new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'));
      progress(0.5, 'half');
    }),
};

const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

const pair = (onEvent?: (event: never) => void) => {
  const { port1, port2 } = new MessageChannel();
  const tell = serve(port1, (method) => (service as Service)[method]);
  open.push(() => port1.close());
  return { tell, call: clientOf<typeof service>(connect(port2 as Port, onEvent)) };
};

test('an answer and an error come back, with the code of a refusal', async () => {
  const { call } = pair();
  expect(await call.double(21)).toBe(42);
  await expect(call.refuse(undefined as never)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'no such thing' });
  await expect(call.break(undefined as never)).rejects.toMatchObject({ code: 'INTERNAL' });
});

test('cancelling and progress reach the other side', async () => {
  const { call } = pair();
  const abort = new AbortController();
  const answer = call.wait(null, { signal: abort.signal, progress: () => abort.abort() });
  expect(await answer).toBe('aborted');
});

test('an event comes through', async () => {
  const heard = Promise.withResolvers<unknown>();
  const { tell } = pair(heard.resolve as never);
  tell({ kind: 'changed' });
  expect(await heard.promise).toEqual({ kind: 'changed' });
});

test('the death of a worker rejects what waits and what comes later', async () => {
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  const call = clientOf<typeof service>(connect(worker));
  const waiting = call.double(1);
  await worker.terminate();
  await expect(waiting).rejects.toMatchObject({ code: 'ENGINE_GONE' });
  await expect(call.double(1)).rejects.toMatchObject({ code: 'ENGINE_GONE' });
});
