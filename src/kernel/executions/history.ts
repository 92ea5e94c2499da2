import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '#base/alive.ts';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Entry } from '#kernel/output/entry.ts';
import { Execution } from './execution.ts';
import { Output } from '#kernel/output/output.ts';
import type { Account, ExecutionInfo, ExecutionStore, StoredExecution } from '#kernel/types.ts';
import { maskEntry } from '#kernel/output/maskEntry.ts';
import { keyBytes } from './seal.ts';
import { parseEntries, readEntries, Spool } from './spool.ts';

export type HistoryOptions = {
  /** Holds the files of outputs that are too large for a record. */
  folder: string;
  store: ExecutionStore;
  log: Log;
  /** Most bytes that one execution keeps. */
  executionBytes: number;
  /** Mask secrets in what is recorded. */
  redact: () => boolean;
  /** Most bytes of all files; the oldest go. */
  folderBytes: number;
};

/** An execution to read from, of this process or of one before. */
export type Readable = { info: ExecutionInfo; output: Output; entries: () => Iterable<Entry> };

/** Executions of this process that stay in memory: so many, and so many UTF-16 units together. */
const mostInMemory = 50;
const unitsInMemory = 64 * 1024 * 1024;

const fileName = (session: string, execution: number): string =>
  `${session.replaceAll(/[^\w-]/g, '_')}-${execution}.output`;

/** The executions of one session: those of this process, and from the drawer those of all before it. */
export class History {
  readonly #session: string;
  readonly #options: HistoryOptions;
  readonly #host = randomUUID();
  readonly #own = new Map<number, Execution>();
  #loaded: { number: number; readable: Readable } | undefined;

  constructor(session: string, options: HistoryOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Gives a new execution its number, durably. */
  async begin(kernelPid: number | undefined, fullOutput: boolean, account?: Account): Promise<Execution> {
    const now = Date.now();
    const info = {
      status: 'running' as const,
      fullOutput,
      submittedAt: now,
      updatedAt: now,
      completedAt: undefined,
      kernelPid,
      kernelCount: undefined,
      error: undefined,
      cause: undefined,
      late: false,
    };
    const key = randomBytes(keyBytes);
    const begin = { session: this.#session, host: this.#host, pid: process.pid, key, info: { ...info, totalLines: 0 } };
    const number = await this.#options.store.beginExecution(begin);
    const { folder, executionBytes, redact } = this.#options;
    const mask = redact() ? maskEntry : (entry: Entry): Entry => entry;
    const spool = new Spool(join(folder, fileName(this.#session, number)), key, executionBytes);
    const execution = new Execution({ ...info, execution: number }, spool, executionBytes, mask, account);
    this.#own.set(number, execution);
    this.#forgetOldest();
    return execution;
  }

  /** The latest of this process. */
  get latest(): Execution | undefined {
    return [...this.#own.values()].at(-1);
  }

  /** An execution of this process that is still in memory, else the latest: output has to go somewhere. */
  ownOrLatest(number: number): Execution | undefined {
    return this.#own.get(number) ?? this.latest;
  }

  own(number: number | undefined): Execution | undefined {
    return number === undefined ? this.latest : this.#own.get(number);
  }

  /** Writes down what an execution is now. */
  async keep(execution: Execution): Promise<void> {
    const { entries, bytes } = execution.kept();
    const file = entries === undefined ? fileName(this.#session, execution.number) : undefined;
    const { store, folder, folderBytes } = this.#options;
    const { info } = execution;
    const asked = execution.asked();
    await store.keepExecution({ session: this.#session, info, entries, file, bytes, asked });
    if (file === undefined) return;
    for (const gone of await store.dropExecutions({ most: folderBytes, now: Date.now() }))
      rmSync(join(folder, gone), { force: true });
  }

  /** Lets a search of the drawer find the output. */
  async index(execution: Execution): Promise<void> {
    const text = execution.searchable();
    if (text === undefined) return;
    await this.#options.store.indexExecution({ session: this.#session, execution: execution.number, text });
  }

  /** The execution of this number, or this process's latest, or else the session's. */
  async find(number: number | undefined): Promise<Readable> {
    const own = this.own(number);
    if (own) return { info: own.info, output: own.output, entries: () => own.entries() };
    if (number !== undefined && this.#loaded?.number === number) return this.#loaded.readable;
    const stored = await this.#options.store.execution({ session: this.#session, execution: number });
    if (stored === undefined) throw this.#unknown(number);
    const readable = this.#load(stored);
    if (readable.info.status !== 'running') this.#loaded = { number: stored.info.execution, readable };
    return readable;
  }

  dispose(): void {
    for (const execution of this.#own.values()) execution.dispose();
  }

  #unknown(number: number | undefined): LoomError {
    return new LoomError(
      'EXECUTION_NOT_FOUND',
      number === undefined
        ? 'No cell has been run in this session. Run one with run_python.'
        : `There is no execution ${number} in this session. Leave "execution" out for the latest one.`,
    );
  }

  #load({ info, entries, file, key, goneAt, host, pid }: StoredExecution): Readable {
    if (goneAt !== undefined)
      throw new LoomError(
        'OUTPUT_GONE',
        `The output of execution ${info.execution} was removed on ${new Date(goneAt).toISOString()} to make room. ` +
          'Run the cell again if it is needed.',
      );
    const all = (): Iterable<Entry> => {
      if (file !== undefined) return readEntries(join(this.#options.folder, file), key);
      return parseEntries(entries ?? '');
    };
    const output = new Output(info.execution, this.#options.executionBytes);
    for (const entry of all()) output.add(entry);
    output.complete();
    return { info: { ...info, ...this.#orphaned(info, host, pid) }, output, entries: all };
  }

  /** A cell that was running when its process ended is told as killed. */
  #orphaned({ status }: ExecutionInfo, host: string, pid: number): Partial<ExecutionInfo> {
    if (status !== 'running' || host === this.#host) return {};
    if (pid !== process.pid && isAlive(pid))
      return { cause: `runs in another Loom process (${pid}), which has its output` };
    return { status: 'killed', cause: 'the Loom process that ran it ended' };
  }

  #forgetOldest(): void {
    let units = 0;
    for (const [n, execution] of [...this.#own.values()].reverse().entries()) {
      units += execution.output.units;
      if (n === 0 || execution.running || (n < mostInMemory && units < unitsInMemory)) continue;
      execution.dispose();
      this.#own.delete(execution.number);
    }
  }
}
