// Python in a process of its own, behind frames over its pipes.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LoomError } from '#base/errors.ts';
import { encodeFrame, readFrames } from './frames.ts';
import { killGroup, signalGroup } from './processGroup.ts';
import type { KernelEnd, KernelEvent, KernelListener, KernelSession } from './backend.ts';
import type { KernelInfo } from '#kernel/types.ts';

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

/** How much of a dying process's stderr is kept: the first lines say what happened. */
const lastWordsLines = 5;
const lastWordsUnits = 2_000;

const firstLines = (text: string): string => text.trim().split('\n').slice(0, lastWordsLines).join('\n');

// The user's own settings change nothing: no start-up file, no profile, no colours.
const environment = (runtime: string): NodeJS.ProcessEnv => {
  const { PYTHONSTARTUP: _, FORCE_COLOR: __, CLICOLOR: ___, CLICOLOR_FORCE: ____, ...inherited } = process.env;
  return {
    ...inherited,
    NO_COLOR: '1',
    PY_COLORS: '0',
    IPYTHONDIR: join(runtime, 'ipython'),
    JUPYTER_CONFIG_DIR: join(runtime, 'jupyter'),
    JUPYTER_RUNTIME_DIR: join(runtime, 'jupyter-runtime'),
    LOOM_KERNEL_RUNTIME: runtime,
  };
};

/** A folder for what a kernel writes of itself. */
const newRuntime = (): string => {
  try {
    return mkdtempSync(join(tmpdir(), 'loom-kernel-'));
  } catch (error) {
    const { message } = error as Error;
    throw new LoomError('KERNEL_START_FAILED', `A kernel needs a folder of its own in ${tmpdir()}: ${message}.`);
  }
};

const removeRuntime = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It lies among temporary files. No kernel ends for that.
  }
};

const spawned = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });

/** Resolves when all that the process had written is read, or soon after its end where a child holds its pipes open. */
const ended = async (child: ChildProcess): Promise<void> => {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await Promise.race([closed, delay(200)]);
};

const causeOf = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;

/**
 * Python in a process of its own, behind frames over its stdin and stdout. It leads a process group: whatever it started
 * goes with it, and all of it goes when this program's end of the fourth pipe closes, however that comes about.
 */
export const startBridge = async (options: BridgeOptions, listener: KernelListener): Promise<KernelSession> => {
  const runtime = newRuntime();
  const child = spawn(options.python, ['-u', '-X', 'utf8', options.program, options.engine], {
    cwd: options.cwd,
    env: environment(runtime),
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  // Of four pipes the types know three at most.
  const [commands, events, words] = child.stdio as unknown as [Writable, Readable, Readable];
  let lastWords = '';
  words.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-lastWordsUnits)));
  // A write to a process that has just died: its end is told by `exit`.
  commands.on('error', () => undefined);
  const ready = Promise.withResolvers<Ready>();
  let wanted = true;
  readFrames(events, (message: Ready | KernelEvent) => {
    if (message.ev === 'ready') ready.resolve(message);
    else if (wanted) listener.onEvent(message);
  });
  const gone = ended(child).then((): KernelEnd => {
    killGroup(child);
    removeRuntime(runtime);
    return { cause: causeOf(child), lastWords: firstLines(lastWords) };
  });

  const shutdown = async (): Promise<void> => {
    wanted = false;
    signalGroup(child, 'SIGTERM');
    await Promise.race([gone, delay(1_000)]);
    killGroup(child);
    await gone;
  };
  const fail = async (reason: string): Promise<never> => {
    await shutdown();
    const said = lastWords.trim() === '' ? '' : ` It said: ${lastWords.trim()}`;
    throw new LoomError('KERNEL_START_FAILED', `${options.python} did not start as a kernel: ${reason}.${said}`);
  };

  try {
    await spawned(child);
  } catch (error) {
    removeRuntime(runtime);
    throw new LoomError('KERNEL_START_FAILED', `${options.python} could not be run: ${(error as Error).message}.`);
  }
  const late = new AbortController();
  const first = await Promise.race([
    ready.promise,
    gone,
    delay(options.startLimit, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  if (first === undefined) return fail(`no answer within ${options.startLimit / 1000} s`);
  if (!('ev' in first)) return fail(first.cause);
  void gone.then((end) => wanted && listener.onEnd(end));
  const { ev: _, ...info } = first;
  return {
    info: { ...info, pid: child.pid },
    execute: (id, code) => commands.write(encodeFrame({ op: 'execute', id, code })),
    interrupt: () => {
      if (process.platform === 'win32') commands.write(encodeFrame({ op: 'interrupt' }));
      else signalGroup(child, 'SIGINT');
    },
    shutdown,
  };
};
