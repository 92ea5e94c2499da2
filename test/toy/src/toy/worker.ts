// The toy's worker: turns words around.
import { parentPort } from 'node:worker_threads';
import { serve, type Port, type Service } from '#base/rpc.ts';

const service: Service = {
  turned: async ({ word }: { word: string }) => [...word].reverse().join(''),
  close: async () => undefined,
};
serve(parentPort as Port, (method) => service[method]);
