import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Entry } from '#kernel/output/entry.ts';
import { openFrames, sealFrame } from './seal.ts';

/** Bytes up to which an output stays in its record and has no file. */
export const inlineBytes = 64 * 1024;
/** Bytes that are gathered before they are written. */
const batchBytes = 256 * 1024;

const lineOf = (entry: Entry): Buffer => Buffer.from(`${JSON.stringify(entry)}\n`);

export const parseEntries = (text: string): Entry[] =>
  text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Entry);

/** The entries of a file, in order. */
export const readEntries = function* (file: string, key: Uint8Array): Generator<Entry> {
  for (const lines of openFrames(key, readFileSync(file))) yield* parseEntries(lines.toString('utf8'));
};

/**
 * The entries of one execution on their way to disk: a little stays in memory, more goes to a file as it comes. Past the
 * limit the first three quarters and the newest rest are kept, with a gap between that says how much is missing.
 * The file is sealed under a key that stands in the drawer alone: where the drawer is sealed, so are its outputs.
 */
export class Spool {
  readonly #file: string;
  readonly #limit: number;
  readonly #key: Uint8Array;
  #frames = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;
  #descriptor: number | undefined;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #droppedBytes = 0;
  #past = false;

  constructor(file: string, key: Uint8Array, limit: number) {
    this.#file = file;
    this.#key = key;
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#written + this.#waitingBytes + this.#tailBytes;
  }

  add(entry: Entry): void {
    const line = lineOf(entry);
    this.#past ||= this.#written + this.#waitingBytes + line.length > this.#limit * 0.75;
    if (!this.#past) {
      this.#waiting.push(line);
      this.#waitingBytes += line.length;
      const most = this.#descriptor === undefined ? inlineBytes : batchBytes;
      if (this.#waitingBytes > most) this.#write();
      return;
    }
    this.#tail.push(line);
    this.#tailBytes += line.length;
    while (this.#tailBytes > this.#limit / 4 && this.#tail.length > 1) {
      const { length } = this.#tail.shift() as Buffer;
      this.#tailBytes -= length;
      this.#droppedBytes += length;
    }
  }

  /** Everything so far, durably: in the text that is returned, or else in the file. */
  finish(totalLines: { [stream: string]: number }): string | undefined {
    if (this.#past && this.#tail.length > 0) {
      this.#waiting.push(lineOf({ kind: 'gap', bytes: this.#droppedBytes, totalLines }), ...this.#tail);
      this.#tail = [];
      this.#tailBytes = 0;
    }
    if (this.#descriptor === undefined && !this.#past) return Buffer.concat(this.#waiting).toString('utf8');
    this.#write();
    fsyncSync(this.#descriptor as number);
    return undefined;
  }

  /** Everything that is kept, as it came. */
  *entries(): Generator<Entry> {
    if (this.#descriptor !== undefined) yield* readEntries(this.#file, this.#key);
    for (const line of [...this.#waiting, ...this.#tail]) yield JSON.parse(line.toString('utf8')) as Entry;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(): void {
    if (this.#descriptor === undefined) {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#descriptor = openSync(this.#file, 'w', 0o600);
    }
    const bytes = sealFrame(this.#key, this.#frames++, Buffer.concat(this.#waiting));
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    this.#written += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
