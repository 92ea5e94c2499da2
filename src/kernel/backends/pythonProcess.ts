// A process of Python, and what it says.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LoomError } from '#base/errors.ts';
import { encodeFrame, readFrames } from './frames.ts';
import { killGroup, signalGroup } from './processGroup.ts';
import type { KernelEnd } from './backend.ts';

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

export type Launch = {
  /** The program and its arguments. */
  command: readonly [string, ...string[]];
  cwd: string;
  onMessage: (message: never) => void;
};

/** A process that leads a group: whatever it started goes with it. */
export type PythonProcess = {
  pid: number | undefined;
  send: (message: unknown) => void;
  signal: (signal: NodeJS.Signals) => void;
  /** What it wrote last outside of frames. */
  said: () => string;
  /** Rejects where it could not be started. */
  spawned: Promise<void>;
  /** Resolves when all of the group is gone. */
  gone: Promise<KernelEnd>;
  shutdown: () => Promise<void>;
};

/** All of it goes when this program's end of the fourth pipe closes, however that comes about. */
export const launch = ({ command: [program, ...args], cwd, onMessage }: Launch): PythonProcess => {
  const runtime = newRuntime();
  const child = spawn(program, args, {
    cwd,
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
  let fault: string | undefined;
  readFrames(events, onMessage, ({ message }) => {
    fault = `it wrote what no kernel writes (${message})`;
    killGroup(child);
  });
  const gone = ended(child).then((): KernelEnd => {
    killGroup(child);
    removeRuntime(runtime);
    return { cause: fault ?? causeOf(child), lastWords: firstLines(lastWords) };
  });
  const shutdown = async (): Promise<void> => {
    signalGroup(child, 'SIGTERM');
    await Promise.race([gone, delay(1_000)]);
    killGroup(child);
    await gone;
  };
  return {
    pid: child.pid,
    send: (message) => commands.write(encodeFrame(message)),
    signal: (signal) => signalGroup(child, signal),
    said: () => lastWords.trim(),
    spawned: spawned(child).catch((error: unknown) => {
      removeRuntime(runtime);
      throw error;
    }),
    gone,
    shutdown,
  };
};
