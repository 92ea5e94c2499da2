import type { Entry } from '#kernel/output/entry.ts';
import type { Account, AskedOutput, ExecutionInfo, ExecutionStatus } from '#kernel/types.ts';
import { Output } from '#kernel/output/output.ts';
import type { Spool } from './spool.ts';

/** Most UTF-16 units of a display of itself that one execution keeps in its drawer's index: its first and last megabyte. */
const searchableUnits = 1024 * 1024;
/** Most UTF-16 units of an output that are handed over to be counted; the rest is extrapolated. */
const countedUnits = 256 * 1024;

/** One accepted cell in this process: its record, its output, and who waits for its end. */
export class Execution {
  readonly output: Output;
  readonly #spool: Spool;
  readonly #mask: (entry: Entry) => Entry;
  readonly #finished = Promise.withResolvers<void>();
  #info: Omit<ExecutionInfo, 'totalLines'>;
  #account: Account | undefined;
  interruptRequested = false;

  /** `mask` takes out of each entry what must not be kept. */
  constructor(
    info: Omit<ExecutionInfo, 'totalLines'>,
    spool: Spool,
    limit: number,
    mask: (entry: Entry) => Entry,
    account?: Account,
  ) {
    this.#info = info;
    this.#account = account;
    this.#mask = mask;
    this.#spool = spool;
    this.output = new Output(info.execution, limit);
  }

  get number(): number {
    return this.#info.execution;
  }

  get info(): ExecutionInfo {
    return { ...this.#info, totalLines: this.output.stream('combined').totalLines };
  }

  get running(): boolean {
    return this.#info.status === 'running';
  }

  /** Resolves when the execution has ended and its record is kept. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** What it puts out; after its end it is marked as late. */
  add(whole: Entry): void {
    const entry = this.#mask(whole);
    this.output.add(entry);
    this.#spool.add(entry);
    this.#info.updatedAt = Date.now();
    this.#info.late ||= !this.running;
    if (entry.kind === 'error') this.#info.error = { ename: entry.ename, evalue: entry.evalue };
  }

  end(status: Exclude<ExecutionStatus, 'running'>, rest: { cause?: string; kernelCount?: number | undefined }): void {
    this.add({ kind: 'end' });
    Object.assign(this.#info, rest, { status, completedAt: Date.now(), updatedAt: Date.now() });
  }

  /** The waiters' turn: the record is kept, or could not be. */
  settle(): void {
    this.#finished.resolve();
  }

  /** What the record needs to hold; long output is on disk when this returns. */
  kept(): { entries: string | undefined; bytes: number } {
    return { entries: this.#spool.finish(this.output.totalLines), bytes: this.#spool.bytes };
  }

  /** What it put out for the model that asked for it, told once: at its end. */
  asked(): AskedOutput | undefined {
    const account = this.#account;
    if (account === undefined || this.running) return undefined;
    this.#account = undefined;
    const combined = this.output.stream('combined');
    const parts: string[] = [];
    let units = 0;
    for (const { text } of combined.stretches()) {
      if (units > countedUnits) break;
      parts.push(text);
      units += text.length + 1;
    }
    const first = parts.join('\n');
    const whole = combined.missing === undefined && combined.units <= first.length + 1 && first.length <= countedUnits;
    const text = first.slice(0, countedUnits);
    return { account, text, units: whole ? text.length : combined.units + (combined.missing?.units ?? 0) };
  }

  searchable(): string | undefined {
    const combined = this.output.stream('combined');
    if (combined.units === 0) return undefined;
    if (combined.units <= 2 * searchableUnits) return [...combined.stretches()].map(({ text }) => text).join('\n');
    let head = '';
    let tail = '';
    for (const { text } of combined.stretches()) {
      if (head.length < searchableUnits) head += `${text.slice(0, searchableUnits)}\n`;
      else tail = `${tail}${text.slice(-searchableUnits)}\n`.slice(-searchableUnits);
    }
    return `${head}[…]\n${tail}`;
  }

  /** The entries as they came, with all controls. */
  entries(): Iterable<Entry> {
    return this.#spool.entries();
  }

  dispose(): void {
    this.#spool.close();
  }
}
