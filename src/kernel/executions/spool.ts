// The entries of one execution on their way to disk.
import type { Entry } from '#kernel/output/entry.ts';
import { parseEntries, type OutputFile } from './outputFile.ts';

/** Bytes up to which an output stays in its record and has no file. */
const inlineBytes = 64 * 1024;
/** Bytes that are gathered before they are written. */
const batchBytes = 256 * 1024;
/** UTF-16 units of a text that are kept or lost together. */
const pieceUnits = 8 * 1024;

type Totals = { [stream: string]: number };

/** An entry as it is written. */
type Line = { kind: string; bytes: Buffer; endsLine: boolean };

const lineOf = (entry: Entry): Line => ({
  kind: entry.kind,
  bytes: Buffer.from(`${JSON.stringify(entry)}\n`),
  endsLine: !('text' in entry) || entry.text.endsWith('\n'),
});
const joined = (lines: readonly Line[]): Buffer => Buffer.concat(lines.map(({ bytes }) => bytes));

/** A text in pieces, of whole lines where those are short enough. */
const piecesOf = function* (entry: Entry): Generator<Entry> {
  if (!('text' in entry)) return yield entry;
  for (let at = 0; at < entry.text.length;) {
    const piece = entry.text.slice(at, at + pieceUnits);
    const lines = piece.length < pieceUnits ? piece : piece.slice(0, piece.lastIndexOf('\n') + 1) || piece;
    yield { ...entry, text: lines };
    at += lines.length;
  }
};

/** `ENOSPC: no space left on device`. */
const wordsOf = (error: unknown): string => /^[^,]*/.exec((error as Error).message)?.[0] ?? '';

/**
 * A little stays in memory, more goes to the file as it comes. Past the limit the first three quarters and the newest rest
 * are kept, with a gap between that says how much is missing. So it is where the disk takes no more: the newest rest waits
 * in memory until it does. It never throws for that: the cell goes on.
 */
export class Spool {
  readonly #file: OutputFile;
  readonly #limit: number;
  /** All of the output, while it is small enough for the record. */
  #small: Line[] | undefined = [];
  #smallBytes = 0;
  /** What is not in the file: the next batch, or past the limit the newest rest. */
  #queue: Line[] = [];
  #queueBytes = 0;
  #nextTry = inlineBytes;
  #past = false;
  /** Why that came before the limit. */
  #pastWhy: string | undefined;
  #dropped = 0;
  /** The kinds of what was dropped, and whether the last of it ended a line. */
  readonly #kinds = new Map<string, boolean>();
  /** Why what was dropped is not kept; undefined where that is the limit. */
  #why: string | undefined;
  #trouble: string | undefined;
  #unsure: string | undefined;
  #added = 0;
  #flushed = 0;
  #finished = 0;
  #closed = false;

  constructor(file: OutputFile, limit: number) {
    this.#file = file;
    this.#limit = limit;
  }

  /** Why the disk did not take what was last written; undefined where it did. */
  get trouble(): string | undefined {
    return this.#trouble ?? this.#unsure;
  }

  /** Bytes that are in neither the file nor memory because of the disk. */
  get refused(): number {
    return this.#why === undefined ? 0 : this.#dropped;
  }

  add(entry: Entry): void {
    if (this.#closed) return;
    for (const piece of piecesOf(entry)) this.#add(lineOf(piece));
  }

  /** Puts everything so far on disk, durably; `trouble` says where it could not. */
  flush(totalLines: Totals): void {
    if (this.#closed || (this.#flushed === this.#added && this.#trouble === undefined)) return;
    this.#flushed = this.#added;
    if (this.#past) this.#try(() => this.#file.replaceEnd(this.#end(totalLines)));
    else if (this.#queueBytes > 0) this.#write();
    else this.#trouble = undefined;
    try {
      this.#file.sync();
    } catch (error) {
      this.#unsure = wordsOf(error);
    }
  }

  /**
   * Everything so far, durably: what the record is to hold of it, and the bytes that are in the file; `unsure` says why
   * nobody knows whether those are on disk.
   */
  finish(totalLines: Totals): { entries: string | undefined; bytes: number; unsure: string | undefined } {
    this.#finished = this.#added;
    if (this.#small) return { entries: joined(this.#small).toString('utf8'), bytes: 0, unsure: undefined };
    this.flush(totalLines);
    // The old end is no use any more, and takes the room of the new one.
    if (this.#trouble !== undefined && this.#past) {
      this.#file.removeEnd();
      this.#try(() => this.#file.replaceEnd(this.#end(totalLines)));
    }
    let entries: string | undefined;
    if (this.#trouble !== undefined) {
      // The newest of what the disk does not take goes into the record.
      this.#past = true;
      this.#drop(inlineBytes, 0, this.#trouble);
      entries = this.#end(totalLines).toString('utf8');
    }
    return { entries, bytes: this.#file.bytes, unsure: this.#unsure };
  }

  /** The record holds what `finish` answered: a file is not needed where that is everything. */
  saved(): void {
    if (!this.#small || this.#finished !== this.#added || this.#file.bytes === 0) return;
    this.#file.remove();
    this.#queue = [...this.#small];
    this.#queueBytes = this.#smallBytes;
  }

  /** Everything that is kept, as it came. */
  *entries(totalLines: Totals): Generator<Entry> {
    if (!this.#small && this.#file.bytes > 0) yield* this.#file.entries();
    yield* parseEntries((this.#small ? joined(this.#small) : this.#end(totalLines)).toString('utf8'));
  }

  /** Keeps nothing of it, and nothing that comes later. */
  discard(): void {
    this.#closed = true;
    this.#file.remove();
    this.#small = [];
    this.#queue = [];
    this.#trouble = undefined;
  }

  close(): void {
    this.#file.close();
  }

  /** What is not in the file, behind the gap before it. */
  #end(totalLines: Totals): Buffer {
    if (this.#dropped === 0) return joined(this.#queue);
    const of = [...this.#kinds.keys()];
    const within = of.filter((kind) => !this.#kinds.get(kind));
    const gap = lineOf({ kind: 'gap', bytes: this.#dropped, totalLines, of, within, why: this.#why });
    return joined([gap, ...this.#queue]);
  }

  #drop(most: number, least: number, why: string | undefined): void {
    while (this.#queueBytes > most && this.#queue.length > least) {
      const { kind, bytes, endsLine } = this.#queue.shift() as Line;
      this.#queueBytes -= bytes.length;
      this.#dropped += bytes.length;
      this.#kinds.set(kind, endsLine);
      this.#why ??= why;
    }
  }

  #add(line: Line): void {
    const { length } = line.bytes;
    this.#added++;
    this.#smallBytes += length;
    if (this.#smallBytes > inlineBytes) this.#small = undefined;
    this.#small?.push(line);
    if (!this.#past && this.#file.bytes + this.#queueBytes + length > this.#limit * 0.75) {
      if (this.#queueBytes > 0) this.#write();
      this.#past = true;
    }
    this.#queue.push(line);
    this.#queueBytes += length;
    if (!this.#past && this.#queueBytes > this.#nextTry) this.#write();
    if (!this.#past && this.#trouble !== undefined && this.#queueBytes > this.#limit / 4) {
      this.#past = true;
      this.#pastWhy = this.#trouble;
    }
    if (this.#past) this.#drop(this.#limit / 4, 1, this.#pastWhy);
  }

  #write(): void {
    this.#try(() => {
      this.#file.append(joined(this.#queue));
      this.#queue = [];
      this.#queueBytes = 0;
    });
    // Not with each line anew.
    this.#nextTry = this.#queueBytes + batchBytes;
  }

  #try(write: () => void): void {
    try {
      write();
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = wordsOf(error);
    }
  }
}
