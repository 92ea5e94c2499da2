// Runs a command in the sandbox's program.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { LoomError } from '#base/errors.ts';
import { reportDescriptor, type Report, type Request } from './protocol.ts';
import type { CommandArgs, Output, Ran } from './types.ts';

/** The sandbox's program: the bundle where there is one, as for the engine. */
const programIn = (programs: string): string => {
  const bundle = join(programs, 'sandbox.cjs');
  return existsSync(bundle) ? bundle : join(programs, 'sandbox.ts');
};

const refused = (why: readonly string[]): LoomError => {
  const needed =
    process.platform === 'linux'
      ? 'Install bubblewrap, socat and ripgrep (apt install bubblewrap socat ripgrep), then call again.'
      : process.platform === 'darwin'
        ? 'Install ripgrep (brew install ripgrep), then call again.'
        : 'On this system commands cannot be run in a sandbox yet.';
  return new LoomError('NO_SANDBOX', `Nothing was run: there is no sandbox here (${why.join('; ')}). ${needed}`);
};

/** Once told to end, everything is gone within this long, or it is killed the hard way. */
const graceMs = 2_000;

/** Keeps what arrives, in the order of its arrival, up to a limit. */
class Collector {
  readonly output: Output[] = [];
  #bytes = 0;
  readonly #most: number;
  readonly #onFull: () => void;
  constructor(most: number, onFull: () => void) {
    this.#most = most;
    this.#onFull = onFull;
  }

  read(stream: Output['stream'], from: Readable): void {
    from.on('data', (bytes: Buffer) => {
      const room = this.#most - this.#bytes;
      if (room > 0) this.output.push({ stream, bytes: bytes.subarray(0, room) });
      this.#bytes += bytes.length;
      if (this.#bytes > this.#most) this.#onFull();
    });
  }
}

/** Tells the program to end; whoever does not listen is killed, and bubblewrap dies with its parent. */
const stop = (program: ChildProcess): void => {
  program.stdin?.end();
  setTimeout(() => program.kill('SIGKILL'), graceMs).unref();
};

const whenClosed = (program: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    program.on('error', reject);
    program.on('close', () => resolve());
  });

/**
 * Runs a command in a sandbox: it writes in the workspace only, has no network, and reads no credentials. Whatever ends it,
 * what it had written until then is kept.
 */
export const runCommand = async (programs: string, args: CommandArgs, signal: AbortSignal): Promise<Ran> => {
  const { command, cwd, workspace, hidden, timeoutMs, outputBytes } = args;
  let stopped: Ran['stopped'];
  let ended: (Report & { kind: 'ended' }) | undefined;
  let refusal: readonly string[] | undefined;
  const begun = performance.now();
  const program = spawn(process.execPath, [programIn(programs)], {
    cwd: workspace,
    // In VS Code the executable is Electron, which this makes behave as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const halt = (why: Ran['stopped']): void => {
    stopped ??= why;
    stop(program);
  };
  const collector = new Collector(outputBytes, () => halt('output'));
  collector.read('stdout', program.stdout);
  collector.read('stderr', program.stderr);
  createInterface({ input: program.stdio[reportDescriptor] as Readable }).on('line', (line) => {
    const report = JSON.parse(line) as Report;
    if (report.kind === 'ended') ended = report;
    else if (report.kind === 'stopped') stopped ??= report.why;
    else refusal = report.why;
  });
  program.stdin.on('error', () => undefined);
  program.stdin.write(`${JSON.stringify({ command, cwd, workspace, hidden } satisfies Request)}\n`);
  const timer = setTimeout(() => halt('timeout'), timeoutMs);
  const cancel = (): void => halt('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await whenClosed(program);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
  if (refusal !== undefined) throw refused(refusal);
  return {
    exitCode: ended?.exitCode ?? undefined,
    signal: ended?.signal ?? undefined,
    stopped,
    duration: ended?.duration ?? Math.round(performance.now() - begun),
    output: collector.output,
  };
};
