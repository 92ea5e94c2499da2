// Python in WebAssembly, from the side of the kernels' worker.
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LoomError } from '#base/errors.ts';
import type { PyodideMessage, PyodideRequest, PyodideWorkerData } from './pyodideWorker.ts';
import type { KernelListener, KernelSession } from './backend.ts';

export type PyodideOptions = Omit<PyodideWorkerData, 'role' | 'interrupts'> & {
  /** The program that serves Pyodide where its role is `pyodide`. */
  worker: string;
  startLimit: number;
};

/** The byte that stands for SIGINT in Pyodide's interrupt buffer. */
const sigint = 2;
/** Milliseconds in which a thread that is free takes a message, and after which the flag is set again. */
const messageMs = 100;

/**
 * Sets the flag that stops code until the stop was made. Pyodide reads the flag and clears it in two steps, so one that is
 * set between them is lost: with `while True: pass` about one in a hundred.
 */
const insist = (interrupts: Uint8Array): void => {
  const timer = setInterval(() => {
    if (interrupts[1] !== 0) clearInterval(timer);
    else interrupts[0] = sigint;
  }, messageMs).unref();
};

/** Python in WebAssembly, in a thread of its own: for a machine without Python. It has the rights of this process. */
export const startPyodide = async (options: PyodideOptions, listener: KernelListener): Promise<KernelSession> => {
  const { worker: program, startLimit, ...rest } = options;
  if (!existsSync(join(rest.pyodide, 'pyodide.mjs')))
    throw new LoomError('KERNEL_START_FAILED', `Pyodide is not installed in ${rest.pyodide}.`);
  const interrupts = new SharedArrayBuffer(2);
  const bytes = new Uint8Array(interrupts);
  const data: PyodideWorkerData = { ...rest, role: 'pyodide', interrupts };
  // Its output is what Pyodide itself says; cells write through messages.
  const worker = new Worker(program, { workerData: data, execArgv: [], stdout: true, stderr: true });
  const ready = Promise.withResolvers<Extract<PyodideMessage, { ev: 'ready' }>>();
  let wanted = true;
  let fault: string | undefined;
  const end = (cause: string): void => {
    ready.reject(new LoomError('KERNEL_START_FAILED', `Pyodide did not start: ${cause}.`));
    if (wanted) listener.onEnd({ cause, lastWords: '' });
    wanted = false;
  };
  worker.on('message', (message: PyodideMessage) => {
    if (message.ev === 'ready') ready.resolve(message);
    else if (message.ev === 'fatal') {
      fault = message.words;
      void worker.terminate();
    } else if (wanted) listener.onEvent(message);
  });
  worker.on('error', (error) => (fault = error.message));
  worker.on('exit', (code) => {
    bytes[1] = 1;
    end(fault ?? `exit code ${code}`);
  });
  const shutdown = async (): Promise<void> => {
    wanted = false;
    await worker.terminate();
  };
  const started = await Promise.race([ready.promise, delay(startLimit, undefined, { ref: false })]);
  if (started === undefined) {
    await shutdown();
    throw new LoomError('KERNEL_START_FAILED', `Pyodide did not start within ${startLimit / 1000} s.`);
  }
  const post = (request: PyodideRequest): void => worker.postMessage(request);
  return {
    info: {
      engine: 'pyodide',
      engineVersion: started.version,
      python: started.python,
      executable: 'WebAssembly',
      pid: undefined,
    },
    execute: (id, code) => post({ op: 'execute', id, code }),
    interrupt: () => {
      bytes[1] = 0;
      post({ op: 'interrupt' });
      // A thread that computes takes no messages.
      insist(bytes);
    },
    shutdown,
  };
};
