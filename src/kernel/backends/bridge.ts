// Python in a process of its own, behind frames over its pipes.
import { setTimeout as delay } from 'node:timers/promises';
import { LoomError } from '#base/errors.ts';
import type { KernelInfo } from '#kernel/types.ts';
import type { KernelEvent, KernelListener, KernelSession } from './backend.ts';
import { launch } from './pythonProcess.ts';

export type BridgeOptions = {
  /** The folder with the bridge's `__main__.py`. */
  program: string;
  python: string;
  engine: 'auto' | 'ipython' | 'plain' | 'ipykernel';
  cwd: string;
  /** Milliseconds until a kernel that does not answer has failed to start. */
  startLimit: number;
};

type Ready = { ev: 'ready' } & Omit<KernelInfo, 'pid'>;

/** A kernel in a process: its names and all that it started go with it. */
export const startBridge = async (options: BridgeOptions, listener: KernelListener): Promise<KernelSession> => {
  const { python, program, engine, cwd, startLimit } = options;
  const ready = Promise.withResolvers<Ready>();
  let wanted = true;
  const onMessage = (message: Ready | KernelEvent): void => {
    if (message.ev === 'ready') ready.resolve(message);
    else if (wanted) listener.onEvent(message);
  };
  const process_ = launch({ command: [python, '-u', '-X', 'utf8', program, engine], cwd, onMessage });
  const shutdown = (): Promise<void> => {
    wanted = false;
    return process_.shutdown();
  };
  const fail = async (reason: string): Promise<never> => {
    await shutdown();
    const said = process_.said();
    const words = `${python} did not start as a kernel: ${reason}.${said === '' ? '' : ` It said: ${said}`}`;
    throw new LoomError('KERNEL_START_FAILED', words);
  };
  await process_.spawned.catch((error: Error) => {
    throw new LoomError('KERNEL_START_FAILED', `${python} could not be run: ${error.message}.`);
  });
  const late = new AbortController();
  const first = await Promise.race([
    ready.promise,
    process_.gone,
    delay(startLimit, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  if (first === undefined) return fail(`no answer within ${startLimit / 1000} s`);
  if (!('ev' in first)) return fail(first.cause);
  void process_.gone.then((end) => wanted && listener.onEnd(end));
  const { ev: _, ...info } = first;
  return {
    info: { ...info, pid: process_.pid },
    execute: (id, code) => process_.send({ op: 'execute', id, code }),
    interrupt: () => {
      if (process.platform === 'win32') process_.send({ op: 'interrupt' });
      else process_.signal('SIGINT');
    },
    shutdown,
  };
};
