/**
 * Runs operations in batches: what arrived while the last batch was made durable is the next one. INVARIANTS
 * 1. Record durable, then fence, then commit in memory, then answer: reads too, for they may have seen what the batch wrote.
 * 2. A batch that did not become durable is undone as a whole; its reads run again, its writes and jobs are refused.
 * 3. After `stop` nobody is answered: whoever asked asks the successor.
 */
import { LoomError, asLoomError } from '#base/errors.ts';
import type { Operation } from '#base/operation.ts';
import { sliceMs } from '#base/slices.ts';
import type { Tx } from '#base/tx.ts';
import { Superseded } from '#storage/file/chain.ts';
import { pack } from '#storage/file/codec.ts';
import type { Fault } from '#storage/fault.ts';
import type { Image } from '#storage/image.ts';
import type { Entry, Statement } from '#storage/file/journal.ts';
import { Poisoned, Unwritable } from '#storage/file/journalWriter.ts';
import { refuseGrowth } from './cap.ts';
import { Pace } from './pace.ts';
import { answered, recordKey } from '#storage/requestKeys.ts';

export type Submission = {
  operation: Operation;
  args: unknown;
  key: string | undefined;
  /** Only where the request is sent again: the number of writes when it was sent first. */
  since: number | undefined;
  /** Its write is refused where it makes the drawer grow beyond the cap. */
  capped: boolean;
  /** A `Superseded` means: ask the successor. */
  done: (error: unknown, value?: unknown) => void;
};

/** What the executor works on; the owner changes it when it succeeds itself. */
export type Ground = {
  image: Image;
  maxBytes: () => number;
  append: (first: number, entries: readonly Entry[]) => Promise<void>;
  stands: () => boolean;
  fault: Fault;
};

type RunningJob = Submission & { steps?: Generator<void, unknown>; sink: Sink };
type Sink = { statements: Statement[] };
type Answer = { submission: Submission; error?: unknown; value?: unknown };

/** A job's slice in a batch that others wait for. */
const shortSliceMs = 10;

export class Executor {
  readonly #ground: Ground;
  readonly #pace = new Pace();
  #queue: Submission[] = [];
  #jobs: RunningJob[] = [];
  #alone: { run: () => Promise<void>; refuse: (error: unknown) => void }[] = [];
  readonly #live = new Map<string, Submission['done'][]>();
  #running: Promise<void> | undefined;
  #stopped = false;
  #entries: Entry[] = [];
  /** The number of the last durable write. */
  seq: number;
  /** Called after each batch that committed something. */
  onCommit: () => void = () => undefined;
  /** Called once when it cannot go on. */
  onFail: (error: unknown) => void = () => undefined;
  longestTurn = 0;

  constructor(ground: Ground, seq: number) {
    this.#ground = ground;
    this.seq = seq;
  }

  get busy(): boolean {
    return this.#queue.length + this.#jobs.length > 0;
  }
  /** Resolves when there is nothing to do. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }
  get hasJobs(): boolean {
    return this.#jobs.length > 0;
  }

  submit(submission: Submission): void {
    if (this.#stopped) return submission.done(new Superseded('not the owner any more'));
    const { operation, key } = submission;
    if (operation.kind !== 'read' && key !== undefined) {
      const waiting = this.#live.get(key);
      // The same request again while it runs: one run, two answers.
      if (waiting) return void waiting.push(submission.done);
      const all = [submission.done];
      this.#live.set(key, all);
      submission.done = (error, value) => {
        this.#live.delete(key);
        for (const done of all) done(error, value);
      };
    }
    if (operation.kind === 'job') this.#jobs.push({ ...submission, sink: { statements: [] } });
    else this.#queue.push(submission);
    this.#pump();
    this.#pace.wake();
  }

  /** Runs `work` between two batches; no batch runs before it is done. */
  alone<R>(work: () => Promise<R> | R): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      if (this.#stopped) return reject(new Superseded('not the owner any more'));
      const run = async (): Promise<void> => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
          if (error instanceof Superseded) throw error;
        }
      };
      this.#alone.push({ run, refuse: reject });
      this.#pump();
      this.#pace.wake();
    });
  }

  /** Takes no more work, refuses what waits, and resolves when the batch that runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { done } of [...this.#queue.splice(0), ...this.#jobs.splice(0)]) done(new Superseded('stopped'));
    for (const { refuse } of this.#alone.splice(0)) refuse(new Superseded('stopped'));
    this.#pace.wake();
    await this.#running;
  }

  #pump(): void {
    this.#running ??= this.#loop()
      .catch((error: unknown) => {
        this.#stopped = true;
        this.onFail(error);
        void this.stop();
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #loop(): Promise<void> {
    while (!this.#stopped && (this.#alone.length > 0 || this.busy)) {
      const alone = this.#alone.shift();
      if (alone) await alone.run();
      else if (this.#queue.length > 0 || this.#pace.wait <= 0) await this.#batch();
      else await this.#pace.pause();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async #batch(): Promise<void> {
    const { image, append, stands, fault } = this.#ground;
    const start = performance.now();
    const answers: Answer[] = [];
    if (this.#queue.length > 0) this.#pace.called();
    this.#entries = [];
    image.run('begin');
    let stepped: RunningJob | undefined;
    try {
      while (this.#queue.length > 0 && performance.now() - start < sliceMs)
        answers.push(this.#run(this.#queue.shift()!));
      if (this.#pace.wait <= 0) stepped = this.#jobs.shift();
      const jobAnswer = stepped && this.#step(stepped, answers.length > 0 ? shortSliceMs : sliceMs);
      if (jobAnswer) answers.push(jobAnswer);
      this.longestTurn = Math.max(this.longestTurn, performance.now() - start);
      if (this.#entries.length > 0) await append(this.seq + 1, this.#entries);
      if (!stands()) throw new Superseded('somebody succeeded this owner');
      fault('fence-passed');
      image.run('commit');
      if (stepped && !jobAnswer) this.#jobs.push(stepped);
    } catch (error) {
      undo(image, 'rollback');
      this.#undone(answers, stepped, error);
      if (!(error instanceof Unwritable)) throw error;
      return;
    }
    this.seq += this.#entries.length;
    if (this.#entries.length > 0) this.onCommit();
    if (answers.some(({ submission }) => submission.operation.kind !== 'job')) this.#pace.called();
    for (const { submission, error, value } of answers) submission.done(error, value);
  }

  /** Nothing of the batch happened. */
  #undone(answers: readonly Answer[], stepped: RunningJob | undefined, error: unknown): void {
    const unwritable = error instanceof Unwritable;
    const refusal = unwritable
      ? new LoomError('DRAWER_UNWRITABLE', `Nothing was written: ${reason(error)}. Free space there and call again.`, {
          cause: error,
        })
      : new Superseded('the batch did not become durable', { cause: error });
    const reads = answers.filter(({ submission }) => unwritable && submission.operation.kind === 'read');
    this.#queue.unshift(...reads.map(({ submission }) => submission));
    const others = answers.filter((answer) => !reads.includes(answer)).map(({ submission }) => submission);
    // A job's generator is ahead of what was undone; it cannot go on.
    if (stepped && !others.includes(stepped)) others.push(stepped);
    for (const { done } of others) done(refusal);
  }

  #run(submission: Submission): Answer {
    const { operation, args, key } = submission;
    const { image } = this.#ground;
    try {
      if (operation.kind === 'read') return { submission, value: operation.run(image.tx(), args as never) };
      const before = answered(image, submission, this.seq + this.#entries.length);
      if (before) return { submission, value: before.value };
      const run = operation.run as (tx: Tx, args: unknown) => unknown;
      const sink: Sink = { statements: [] };
      return {
        submission,
        value: this.#write(submission, sink, key, () => ({ done: true, value: run(this.#txFor(sink), args) })).value,
      };
    } catch (error) {
      return { submission, error: refusalOf(error) };
    }
  }

  /** Runs stretches of one job for one slice; an answer where that ended it. */
  #step(job: RunningJob, ms: number): Answer | undefined {
    const { image } = this.#ground;
    const end = performance.now() + ms;
    try {
      if (!job.steps) {
        const before = answered(image, job, this.seq + this.#entries.length);
        if (before) return { submission: job, value: before.value };
        const run = job.operation.run as (tx: Tx, args: unknown) => Generator<void, unknown>;
        job.steps = run(this.#txFor(job.sink), job.args);
      }
      // One savepoint a slice, not a stretch: at each savepoint FTS writes a segment of its own.
      job.sink.statements = [];
      const step = this.#write(job, job.sink, job.key, () => advance(job.steps!, end));
      this.#pace.stepped();
      return step.done ? { submission: job, value: step.value } : undefined;
    } catch (error) {
      return { submission: job, error: refusalOf(error) };
    }
  }

  #txFor(sink: Sink): Tx {
    return this.#ground.image.tx((statement) => sink.statements.push(statement));
  }

  /** One write inside the batch's transaction: with its key, or not at all. */
  #write(
    { capped }: Submission,
    sink: Sink,
    key: string | undefined,
    work: () => { done: boolean; value: unknown },
  ): { done: boolean; value: unknown } {
    const { image } = this.#ground;
    const maxBytes = this.#ground.maxBytes();
    // Counting the free pages is left out where even the whole file is far from the cap.
    const before = capped && image.fileBytes > maxBytes / 2 ? image.usedBytes : 0;
    image.run('savepoint one');
    try {
      const step = work();
      if (capped && image.fileBytes > maxBytes) refuseGrowth(before, image.usedBytes, maxBytes);
      if (sink.statements.length > 0) {
        const result = step.done && key !== undefined ? new Uint8Array(pack(step.value)) : undefined;
        if (result) recordKey(image, this.seq + this.#entries.length + 1, key, result);
        this.#entries.push({ statements: sink.statements, ...(result && { key: key!, result }) });
      }
      image.run('release one');
      return step;
    } catch (error) {
      undo(image, 'rollback to one; release one');
      throw error;
    }
  }
}

/** What an operation threw is its refusal; what says that the image cannot be trusted ends the batch. */
const refusalOf = (error: unknown): LoomError => {
  if (error instanceof Poisoned) throw error;
  return asLoomError(error);
};

/** SQLite ends the whole transaction by itself when memory runs out: then the image is not what the journal says. */
const undo = (image: Image, sql: string): void => {
  try {
    image.run(sql);
  } catch (error) {
    throw new Poisoned('a transaction ended by itself', { cause: error });
  }
};

const advance = (steps: Generator<void, unknown>, end: number): { done: boolean; value: unknown } => {
  for (;;) {
    const { done, value } = steps.next();
    if (done || performance.now() >= end) return { done: done === true, value };
  }
};

const reason = (error: Unwritable): string => (error.cause instanceof Error ? error.cause.message : error.message);
