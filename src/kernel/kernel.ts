// One session's Python.
import { setTimeout as delay } from 'node:timers/promises';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { parseDirectives } from './directives.ts';
import { answerOf, answerOfOwn, busyWith } from './answer.ts';
import type { Execution } from '#kernel/executions/execution.ts';
import type { History, Readable } from '#kernel/executions/history.ts';
import { Keeper } from '#kernel/executions/keeper.ts';
import type { ExecutionAnswer, KernelChoice, KernelState, RunArgs } from './types.ts';
import type { KernelEnd, KernelEvent, KernelListener, KernelSession } from '#kernel/backends/backend.ts';

export type StartChosen = (choice: KernelChoice, listener: KernelListener) => Promise<KernelSession>;

export type KernelDeps = {
  start: StartChosen;
  log: Log;
  /** Told when a cell begins, and with undefined when it has ended. */
  onBusy: (execution: number | undefined) => void;
};

/** Milliseconds to wait for a cell whose caller says nothing. */
const defaultWait = 10_000;

const endText = ({ cause, lastWords }: KernelEnd): string =>
  lastWords === '' ? cause : `${cause}; it said last: ${lastWords}`;

/** Starts it when it is needed, gives it one cell at a time, and keeps what comes of it. It never sees which back end runs. */
export class Kernel {
  readonly #history: History;
  readonly #keeper: Keeper;
  readonly #start: StartChosen;
  readonly #log: Log;
  readonly #onBusy: KernelDeps['onBusy'];
  #session: KernelSession | undefined;
  #current: Execution | undefined;
  /** A kernel is being started, or a cell given to it: one at a time. */
  #starting: PromiseWithResolvers<void> | undefined;
  #cwd: string | undefined;
  #lastEnd: KernelEnd | undefined;
  #closed = false;

  constructor(history: History, { start, log, onBusy }: KernelDeps) {
    this.#history = history;
    this.#keeper = new Keeper(history, log);
    this.#start = start;
    this.#log = log;
    this.#onBusy = onBusy;
  }

  async run(args: RunArgs, signal: AbortSignal): Promise<ExecutionAnswer> {
    const directives = parseDirectives(args.code);
    const { execution, fresh } = await this.#take(args, args.fullOutput ?? directives.fullOutput);
    if (args.interruptOnCancel) signal.addEventListener('abort', () => this.#interruptThis(execution), { once: true });
    await this.#wait(execution, args.wait ?? directives.wait ?? defaultWait, signal);
    return this.#answer(execution, args.units, fresh);
  }

  async wait(number: number | undefined, wait: number, units: number, signal: AbortSignal): Promise<ExecutionAnswer> {
    await this.#history.refresh();
    const own = this.#selected(number);
    if (own === undefined) return answerOf(await this.read(number), units, []);
    await this.#wait(own, wait, signal);
    return this.#answer(own, units, []);
  }

  /** What is read of it is on disk. */
  async find(number: number | undefined): Promise<Readable> {
    await this.#history.refresh();
    return this.read(number);
  }

  /** As `find`, shortly after one. */
  async read(number: number | undefined): Promise<Readable> {
    const own = this.#selected(number);
    if (own) await this.#keeper.secure(own);
    return this.#history.find(own?.number ?? number);
  }

  interrupt(): { execution: number | undefined; pid: number | undefined } {
    const { number } = this.#current ?? {};
    if (this.#current) this.#interruptThis(this.#current);
    return { execution: number, pid: this.#session?.info.pid };
  }

  async reset(choice: KernelChoice): Promise<void> {
    while (this.#starting) await this.#starting.promise;
    await this.#alone(async () => {
      const session = this.#session;
      this.#session = undefined;
      await this.#kill('the kernel was reset');
      await session?.shutdown();
      this.#lastEnd = undefined;
      this.#session = await this.#started(choice);
    });
  }

  state(): Omit<KernelState, 'advice'> {
    return {
      kernel: this.#session?.info,
      cwd: this.#cwd,
      current: this.#current?.info,
      recent: this.#history.latest?.info,
      lastEnd: this.#lastEnd?.cause,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const session = this.#session;
    this.#session = undefined;
    await this.#kill('Loom ended');
    await session?.shutdown();
    await this.#keeper.close();
  }

  /** Accepts a cell: a kernel that runs, a number that is on disk, and the cell given to the kernel. */
  async #take(
    { code, choice, account }: RunArgs,
    fullOutput: boolean,
  ): Promise<{ execution: Execution; fresh: string[] }> {
    if (this.#current || this.#starting) throw busyWith(this.#current);
    return this.#alone(async () => {
      const fresh =
        this.#session || this.#lastEnd === undefined
          ? []
          : [`fresh kernel: the last one ended (${this.#lastEnd.cause}), and its names with it`];
      this.#session ??= await this.#started(choice);
      this.#lastEnd = undefined;
      const execution = await this.#history.begin(this.#session?.info.pid, fullOutput, account);
      // It may have died while the number was written.
      if (this.#session === undefined) {
        this.#current = execution;
        await this.#kill(
          this.#lastEnd === undefined ? 'the kernel ended before the cell began' : endText(this.#lastEnd),
        );
      } else {
        this.#current = execution;
        this.#onBusy(execution.number);
        this.#session.execute(execution.number, code);
      }
      return { execution, fresh };
    });
  }

  async #alone<R>(work: () => Promise<R>): Promise<R> {
    this.#starting = Promise.withResolvers();
    try {
      return await work();
    } finally {
      this.#starting.resolve();
      this.#starting = undefined;
    }
  }

  async #started(choice: KernelChoice): Promise<KernelSession> {
    if (this.#closed) throw new LoomError('CANCELLED', 'Loom is ending.');
    let own: KernelSession | undefined;
    let ended = false;
    const listener: KernelListener = {
      onEvent: (event) => this.#on(event),
      onEnd: (end) => {
        ended = true;
        if (own === undefined || this.#session === own) void this.#onEnd(end);
      },
    };
    own = await this.#start(choice, listener);
    this.#cwd = choice.cwd;
    if (!ended) return own;
    throw new LoomError(
      'KERNEL_START_FAILED',
      `The kernel ended as it started: ${this.#lastEnd && endText(this.#lastEnd)}.`,
    );
  }

  #on(event: KernelEvent): void {
    if (event.ev === 'stream') {
      for (const [kind, number, text] of event.chunks) this.#add(number, { kind, text });
    } else if (event.ev === 'done') {
      const { interruptRequested, info } = this.#current ?? {};
      const failed = info?.error;
      const stopped = interruptRequested && failed?.ename === 'KeyboardInterrupt';
      const status = stopped ? 'interrupted' : failed ? 'error' : 'completed';
      if (this.#current?.number === event.id) void this.#end(status, { kernelCount: event.count ?? undefined });
    } else if (event.ev === 'error') {
      const { ename, evalue, traceback } = event;
      this.#add(event.id, { kind: 'error', ename, evalue, traceback });
    } else if (event.ev !== 'clear') {
      // A log is only ever added to: what clear_output() clears on a screen stays readable here.
      const { ev: kind, data, metadata, transient } = event;
      this.#add(event.id, { kind, data, metadata, id: transient.display_id ?? undefined });
    }
  }

  #add(number: number, entry: Parameters<Execution['add']>[0]): void {
    const execution = this.#history.ownOrLatest(number);
    if (execution === undefined) return this.#log.warn('output of no cell was dropped');
    execution.add(entry);
    if (!execution.running) this.#keeper.late(execution);
  }

  async #onEnd(end: KernelEnd): Promise<void> {
    this.#session = undefined;
    this.#lastEnd = end;
    await this.#kill(endText(end));
  }

  async #kill(cause: string): Promise<void> {
    await this.#end('killed', { cause });
  }

  async #end(...[status, rest]: Parameters<Execution['end']>): Promise<void> {
    const execution = this.#current;
    if (execution === undefined) return;
    execution.end(status, rest);
    this.#current = undefined;
    this.#onBusy(undefined);
    await this.#keeper.keep(execution);
    execution.settle();
    this.#keeper.index(execution);
  }

  #interruptThis(execution: Execution): void {
    if (this.#current !== execution) return;
    execution.interruptRequested = true;
    this.#session?.interrupt();
  }

  #selected(number: number | undefined): Execution | undefined {
    return number === undefined ? (this.#current ?? this.#history.latest) : this.#history.own(number);
  }

  async #wait(execution: Execution, wait: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    await Promise.race([execution.finished, delay(wait, undefined, { signal: either }).catch(() => undefined)]);
    done.abort();
    if (signal.aborted) throw new LoomError('CANCELLED', `The wait for execution ${execution.number} was cancelled.`);
  }

  async #answer(execution: Execution, units: number, notes: readonly string[]): Promise<ExecutionAnswer> {
    await this.#history.refresh();
    await this.#keeper.secure(execution);
    return answerOfOwn(execution, units, notes);
  }
}
