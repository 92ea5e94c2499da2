// The toy around the engine: its worker.
import { Worker } from 'node:worker_threads';
import type { HostDeps, HostRunning } from '#base/room.ts';
import { clientOf, connect } from '#base/rpc.ts';
import { fileOf } from '#host/programs.ts';
import { hostWorker } from '#host/worker.ts';
import type { ToyHost, ToyService } from './types.ts';

export const toyHost = ({ programs, log, engine }: HostDeps): HostRunning => {
  const start = async () => {
    const worker = new Worker(fileOf(programs, 'toyWorker', 'toy/worker.ts'), { execArgv: [] });
    return { worker, send: connect(worker) };
  };
  const { send, close } = hostWorker({ name: 'the toy', start, log });
  const inEngine = clientOf<ToyService>(engine);
  const service: ToyHost = {
    add: (args) => inEngine.add(args),
    words: (args) => inEngine.words(args),
    turned: (args) => send('turned', args) as Promise<string>,
  };
  return { service, close };
};
