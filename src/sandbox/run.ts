// Runs a command in the sandbox's program.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { reportDescriptor, type Report, type Request } from './protocol.ts';
import { noSandbox, notStarted, refuseLong } from './refusal.ts';
import type { CommandArgs, Output, Ran } from './types.ts';

/** The sandbox's program: the bundle where there is one, as for the engine. */
const programIn = (programs: string): string => {
  const bundle = join(programs, 'sandbox.cjs');
  return existsSync(bundle) ? bundle : join(programs, 'sandbox.ts');
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

/** The sandbox stands within this long, or there is none: no machine is that slow. */
const startMs = 30_000;

/** What the sandbox's program has said so far. */
type Heard = {
  began: number | undefined;
  ended: (Report & { kind: 'ended' }) | undefined;
  refused: string | undefined;
};

const textOf = (output: readonly Output[]): string => Buffer.concat(output.map(({ bytes }) => bytes)).toString('utf8');

const launch = (programs: string, { timeoutMs: _, outputBytes: __, ...request }: CommandArgs) => {
  const program = spawn(process.execPath, [programIn(programs)], {
    cwd: request.workspace,
    // In VS Code the executable is Electron, which this makes behave as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  program.stdin.on('error', () => undefined);
  program.stdin.write(`${JSON.stringify(request satisfies Request)}\n`);
  return program;
};

/**
 * Runs a command in a sandbox: it writes in the workspace only, has no network, and sees of the home what builds need. Its
 * time begins when it does. Whatever ends it, what it had written until then is kept. `NO_SANDBOX`: nothing of it ran.
 */
export const runCommand = async (programs: string, args: CommandArgs, signal: AbortSignal): Promise<Ran> => {
  refuseLong(args.command);
  let stopped: Ran['stopped'] | 'start';
  const heard: Heard = { began: undefined, ended: undefined, refused: undefined };
  const program = launch(programs, args);
  const halt = (why: typeof stopped): void => {
    stopped ??= why;
    stop(program);
  };
  let timer = setTimeout(() => halt('start'), startMs);
  const collector = new Collector(args.outputBytes, () => halt('output'));
  collector.read('stdout', program.stdout);
  collector.read('stderr', program.stderr);
  createInterface({ input: program.stdio[reportDescriptor] as Readable }).on('line', (line) => {
    const report = JSON.parse(line) as Report;
    if (report.kind === 'ended') heard.ended = report;
    else if (report.kind === 'stopped') stopped ??= report.why;
    else if (report.kind === 'refused') heard.refused = report.why;
    else {
      heard.began = performance.now();
      clearTimeout(timer);
      timer = setTimeout(() => halt('timeout'), args.timeoutMs);
    }
  });
  const cancel = (): void => halt('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await whenClosed(program);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
  const { began, ended, refused } = heard;
  if (refused !== undefined) throw noSandbox(refused);
  if (stopped === 'start') throw notStarted(`nothing of it stood after ${startMs / 1_000} s`);
  if (began === undefined && stopped === undefined) throw notStarted(textOf(collector.output));
  return {
    exitCode: ended?.exitCode ?? undefined,
    signal: ended?.signal ?? undefined,
    stopped,
    duration: ended?.duration ?? (began === undefined ? 0 : Math.round(performance.now() - began)),
    output: collector.output,
  };
};
