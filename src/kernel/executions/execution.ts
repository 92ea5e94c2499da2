// One accepted cell in this process.
import { maskText } from '#base/maskText.ts';
import type { Entry } from '#kernel/output/entry.ts';
import type { Account, AskedOutput, ExecutionInfo, ExecutionStatus } from '#kernel/types.ts';
import { MaskStream } from '#kernel/output/maskStream.ts';
import { Output } from '#kernel/output/output.ts';
import type { Spool } from './spool.ts';

/** Most UTF-16 units of a display of itself that one execution keeps in its drawer's index: its first and last megabyte. */
const searchableUnits = 1024 * 1024;
/** Most UTF-16 units of an output that are handed over to be counted; the rest is extrapolated. */
const countedUnits = 256 * 1024;

type OwnInfo = Omit<ExecutionInfo, 'totalLines'>;

/** Its record, its output, and who waits for its end. */
export class Execution {
  readonly #spool: Spool;
  readonly #masks: MaskStream | undefined;
  readonly #limit: number;
  readonly #finished = Promise.withResolvers<void>();
  #info: OwnInfo;
  #output: Output;
  #account: Account | undefined;
  /** Bytes that the spool had lost to the disk when the output was made. */
  #refused = 0;
  #saved = false;
  /** When its session was purged. */
  #purgedAt: number | undefined;
  interruptRequested = false;
  /** Why its record could not be written. */
  unsaved: string | undefined;

  /** `masked`: whether secrets in what it puts out are masked before any of it is kept. */
  constructor(info: OwnInfo, spool: Spool, limit: number, masked: boolean, account?: Account) {
    this.#info = info;
    this.#account = account;
    this.#masks = masked ? new MaskStream((entry) => this.#record(entry)) : undefined;
    this.#spool = spool;
    this.#limit = limit;
    this.#output = new Output(info.execution, limit);
  }

  get number(): number {
    return this.#info.execution;
  }

  get info(): ExecutionInfo {
    return { ...this.#info, totalLines: this.#output.stream('combined').totalLines };
  }

  get output(): Output {
    return this.#output;
  }

  get running(): boolean {
    return this.#info.status === 'running';
  }

  /** It has ended, and its record says how. */
  get saved(): boolean {
    return this.#saved;
  }

  /** Resolves when the execution has ended and its record is kept. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** When its session was purged under it: what it put out is not kept. */
  get purgedAt(): number | undefined {
    return this.#purgedAt;
  }

  /** Why some of what can be read now may be gone later, or is gone already. */
  get doubt(): string | undefined {
    const why = this.unsaved ?? (this.running ? this.#spool.trouble : undefined);
    return why === undefined ? this.#info.lost : `not on disk yet, and lost if Loom ends now (${why})`;
  }

  /** What it puts out; after its end it is marked as late. */
  add(entry: Entry): void {
    if (this.#purgedAt !== undefined) return;
    this.#info.updatedAt = Date.now();
    this.#info.late ||= !this.running;
    if (this.#masks) this.#masks.add(entry);
    else this.#record(entry);
  }

  end(status: Exclude<ExecutionStatus, 'running'>, rest: { cause?: string; kernelCount?: number | undefined }): void {
    this.add({ kind: 'end' });
    // A cause may hold the last words of Python.
    if (this.#masks && rest.cause !== undefined) rest = { ...rest, cause: maskText(rest.cause) };
    Object.assign(this.#info, rest, { status, completedAt: Date.now(), updatedAt: Date.now() });
  }

  /** The waiters' turn: the record is kept, or could not be. */
  settle(): void {
    this.#finished.resolve();
  }

  /** Puts on disk what is there so far: nothing is shown before. `doubt` says where that failed. */
  flush(): void {
    this.#spool.flush(this.#output.totalLines);
    this.#showWhatIsKept();
  }

  /** What the record needs to hold; the rest is on disk when this returns. */
  kept(): { info: ExecutionInfo; entries: string | undefined; bytes: number; asked: AskedOutput | undefined } {
    // Of late output a line's beginning may still be held back.
    this.#masks?.release();
    const asked = this.#asked();
    const kept = this.#spool.finish(this.#output.totalLines);
    this.#showWhatIsKept();
    if (kept.unsure !== undefined) this.#info.lost = `the disk failed (${kept.unsure}): some of it may be lost`;
    return { ...kept, info: this.info, asked };
  }

  /** The record holds what `kept` answered. */
  keptIt(): void {
    this.#saved = true;
    this.#account = undefined;
    this.unsaved = undefined;
    this.#spool.saved();
  }

  /** Its session was purged: what it put out goes, and what it will put out is not kept. */
  forget(at: number): void {
    if (this.#purgedAt !== undefined) return;
    this.#purgedAt = at;
    this.#masks?.drop();
    this.#spool.discard();
    this.#output = new Output(this.number, this.#limit);
    this.#account = undefined;
    this.unsaved = undefined;
  }

  searchable(): string | undefined {
    const combined = this.#output.stream('combined');
    if (combined.units === 0) return undefined;
    if (combined.units <= 2 * searchableUnits) return combined.text;
    let head = '';
    const tail: string[] = [];
    let units = 0;
    for (const { text } of combined.stretches()) {
      if (head.length < searchableUnits) {
        head += `${text.slice(0, searchableUnits)}\n`;
        continue;
      }
      const piece = `${text}\n`;
      units += piece.length;
      tail.push(piece);
      for (let [first = ''] = tail; units - first.length >= searchableUnits; [first = ''] = tail) {
        units -= first.length;
        tail.shift();
      }
    }
    return `${head}[…]\n${tail.join('').slice(-searchableUnits)}`;
  }

  /** The entries as they came, with all controls. */
  entries(): Iterable<Entry> {
    return this.#spool.entries(this.#output.totalLines);
  }

  dispose(): void {
    this.#masks?.drop();
    this.#spool.close();
  }

  #record(entry: Entry): void {
    this.#output.add(entry);
    this.#spool.add(entry);
    if (entry.kind === 'error') this.#info.error = { ename: entry.ename, evalue: entry.evalue };
  }

  /** What the disk refused for good is not shown either: after a reload the same lines are there. */
  #showWhatIsKept(): void {
    const { refused } = this.#spool;
    if (refused === this.#refused) return;
    this.#refused = refused;
    const output = new Output(this.number, this.#limit);
    for (const entry of this.entries()) output.add(entry);
    output.complete();
    this.#output = output;
  }

  /** What it put out for the model that asked for it, told at its end. */
  #asked(): AskedOutput | undefined {
    const account = this.#account;
    if (account === undefined || this.running) return undefined;
    const combined = this.#output.stream('combined');
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
}
