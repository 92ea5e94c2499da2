import { Worker } from 'node:worker_threads';
import { LoomError } from '#base/errors.ts';
import type { KernelEvent, KernelInfo, KernelListener, KernelSession } from './session.ts';

export type PyodideOptions = {
  pyodide: string;
  bridge: string;
  cache: string;
  worker: string;
  cwd: string;
  startLimit: number;
};

export const startPyodide = async (_options: PyodideOptions, _listener: KernelListener): Promise<KernelSession> => {
  throw new LoomError('KERNEL_START_FAILED', 'not yet');
};
export type Unused = [Worker, KernelEvent, KernelInfo];
