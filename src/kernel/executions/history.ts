// The executions of one session: those of this process, and from the drawer those of all before it.
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { counted } from '#base/text.ts';
import type { Entry } from '#kernel/output/entry.ts';
import { Output } from '#kernel/output/output.ts';
import type { Account, ExecutionInfo, ExecutionStore, Purge, StoredExecution } from '#kernel/types.ts';
import { Execution } from './execution.ts';
import { ownStart } from './liveness.ts';
import { damagedGap, OutputFile, parseEntries, readEntries, removeOutput, type Damage } from './outputFile.ts';
import { keyBytes } from './seal.ts';
import { Spool } from './spool.ts';

export type HistoryOptions = {
  /** Holds the files of outputs that are too large for a record. */
  folder: string;
  store: ExecutionStore;
  log: Log;
  /** Names the worker that all of this runs in. */
  host: string;
  /** Most bytes that one execution keeps. */
  executionBytes: number;
  /** Whether secrets are masked in what is recorded. */
  masks: () => boolean;
  /** Most bytes of all files; the oldest go. */
  folderBytes: number;
};

/** An execution to read from, of this process or of one before. */
export type Readable = {
  info: ExecutionInfo;
  output: Output;
  entries: () => Iterable<Entry>;
  /** Why the output may not be all that it put out. */
  doubt: string | undefined;
};

/** Executions of this process that stay in memory: so many, and so many UTF-16 units together. */
const mostInMemory = 50;
const unitsInMemory = 64 * 1024 * 1024;

const newInfo = (kernelPid: number | undefined, fullOutput: boolean) => {
  const now = Date.now();
  return {
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
};

const dateOf = (at: number): string => new Date(at).toISOString();

export class History {
  readonly #session: string;
  readonly #options: HistoryOptions;
  readonly #own = new Map<number, Execution>();
  #loaded: { number: number; readable: Readable } | undefined;
  #purges: readonly Purge[] = [];

  constructor(session: string, options: HistoryOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** Gives a new execution its number and the name of its file, durably. */
  async begin(kernelPid: number | undefined, fullOutput: boolean, account?: Account): Promise<Execution> {
    const { folder, store, host, executionBytes, masks } = this.#options;
    const info = newInfo(kernelPid, fullOutput);
    const key = randomBytes(keyBytes);
    const file = `${randomUUID()}.output`;
    const record = { session: this.#session, host, pid: process.pid, started: ownStart(), key, file };
    const number = await store.beginExecution({ ...record, info: { ...info, totalLines: 0 } });
    const spool = new Spool(new OutputFile(join(folder, file), key), executionBytes);
    const execution = new Execution({ ...info, execution: number }, spool, executionBytes, masks(), account);
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
    const kept = execution.kept();
    if (!(await this.#options.store.keepExecution({ session: this.#session, ...kept }))) {
      // Its record was purged, or made room for others: so it is no more here either.
      await this.refresh();
      execution.forget(Date.now());
      this.#own.delete(execution.number);
      return;
    }
    execution.keptIt();
    if (kept.bytes > 0) await this.#makeRoom();
  }

  /** Lets a search of the drawer find the output. */
  async index(execution: Execution): Promise<void> {
    const text = execution.searchable();
    if (text === undefined) return;
    await this.#options.store.indexExecution({ session: this.#session, execution: execution.number, text });
  }

  /** Learns of purges, whoever made them: what was purged is in no memory either. */
  async refresh(): Promise<void> {
    const { store, log } = this.#options;
    try {
      this.#purges = await store.purges({ session: this.#session });
    } catch (error) {
      // What is in memory is readable where the drawer is not.
      log.warn(`the drawer could not be asked for purges: ${(error as Error).message}`);
    }
    for (const execution of this.#own.values()) {
      const purge = this.#purgeOf(execution.number);
      if (purge === undefined) continue;
      execution.forget(purge.at);
      if (!execution.running) this.#own.delete(execution.number);
    }
    if (this.#loaded && this.#purgeOf(this.#loaded.number)) this.#loaded = undefined;
  }

  /** The execution of this number, or this process's latest, or else the session's. */
  async find(number: number | undefined): Promise<Readable> {
    const own = this.own(number);
    if (own?.purgedAt !== undefined) throw this.#unknown(own.number);
    if (own) return { info: own.info, output: own.output, entries: () => own.entries(), doubt: own.doubt };
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

  /** Where all outputs together are over their limit the oldest go. */
  async #makeRoom(): Promise<void> {
    const { store, folder, folderBytes, log } = this.#options;
    try {
      for (const gone of await store.dropExecutions({ most: folderBytes, now: Date.now() }))
        removeOutput(join(folder, gone));
    } catch (error) {
      log.error('the oldest outputs were not removed', error);
    }
  }

  #purgeOf(number: number): Purge | undefined {
    return this.#purges.find(({ last }) => number >= 1 && number <= last);
  }

  #unknown(number: number | undefined): LoomError {
    const purge = number === undefined ? this.#purges.at(-1) : this.#purgeOf(number);
    const at = purge && dateOf(purge.at);
    const none =
      number === undefined && `No cell has been run in this session${at ? ` since it was purged on ${at}` : ''}.`;
    const words = none
      ? `${none} Run one with run_python.`
      : at
        ? `Execution ${number} was purged with its session on ${at}: nothing of its output is left. Run the cell again if it is needed.`
        : `There is no execution ${number} in this session. Leave "execution" out for the latest one.`;
    return new LoomError('EXECUTION_NOT_FOUND', words);
  }

  #load({ info, entries, file, key, bytes, goneAt }: StoredExecution): Readable {
    if (goneAt !== undefined)
      throw new LoomError(
        'OUTPUT_GONE',
        `The output of execution ${info.execution} was removed on ${dateOf(goneAt)} to make room. ` +
          'Run the cell again if it is needed.',
      );
    // Of an ended cell the record knows whether there is a file.
    const unended = info.status === 'running' || info.lost !== undefined;
    const path = file === undefined || (bytes === 0 && !unended) ? undefined : join(this.#options.folder, file);
    const damage: Damage = { gap: damagedGap({}), bytes: 0 };
    let short = false;
    const all = function* (): Generator<Entry> {
      damage.bytes = 0;
      if (path !== undefined) short = (yield* readEntries(path, key, damage)) + damage.bytes < bytes;
      yield* parseEntries(entries ?? '');
    };
    const { executionBytes } = this.#options;
    let output = outputOf(info.execution, all(), executionBytes);
    if (damage.bytes > 0) {
      // Once more, now that it is known of which streams lines are missing; nothing behind the gap goes for want of room.
      damage.gap = damagedGap(totalsOf(output, unended ? 0 : info.totalLines));
      output = outputOf(info.execution, all(), 4 * executionBytes);
    }
    const { totalLines } = output.stream('combined');
    return {
      info: unended ? { ...info, totalLines } : info,
      output,
      entries: all,
      doubt: info.lost ?? (info.status === 'running' ? info.cause : damageText(damage.bytes, short)),
    };
  }

  #forgetOldest(): void {
    let units = 0;
    for (const [n, execution] of [...this.#own.values()].reverse().entries()) {
      units += execution.output.units;
      if (n === 0 || !execution.saved || (n < mostInMemory && units < unitsInMemory)) continue;
      execution.dispose();
      this.#own.delete(execution.number);
    }
  }
}

const outputOf = (execution: number, entries: Iterable<Entry>, limit: number): Output => {
  const output = new Output(execution, limit);
  for (const entry of entries) output.add(entry);
  output.complete();
  return output;
};

/** How many lines each stream had, as far as the record's number of all of them says it. */
const totalsOf = (output: Output, combined: number): { [stream: string]: number } => {
  const streams = Object.keys(output.totalLines).filter((stream) => stream !== 'combined');
  const each = streams.length === 1 ? combined : 0;
  return { ...Object.fromEntries(streams.map((stream) => [stream, each])), combined };
};

const damageText = (bytes: number, short: boolean): string | undefined => {
  if (short) return 'its file is damaged or gone, at least in part';
  return bytes > 0 ? `its file is damaged: ${counted(bytes, 'byte')} of it are lost, and the rest is here` : undefined;
};
