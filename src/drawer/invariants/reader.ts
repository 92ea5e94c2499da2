// Reads invariants out of content that arrives in slices.
import type { InvariantKind } from '#drawer/contents.ts';
import { scanLine, type Emit } from './scan.ts';

const newline = 10;
/** A longer line is read in parts of at most so many bytes. */
const mostPartBytes = 8192;
/** How far the cut of a giant line looks back for white space or a comma. */
const lookBack = 1024;
/** Lines that are turned into one string at once. */
const usualRun = 32_768;

const cutAt = (bytes: Buffer, from: number): number => {
  const limit = from + mostPartBytes;
  for (let at = limit; at > limit - lookBack; at--) {
    const byte = bytes[at - 1] ?? 0;
    if (byte <= 32 || byte === 44) return at;
  }
  return limit;
};

/** Told of each invariant: where it stands in `bytes`, which are some of the content and begin at byte `base` of it. */
export type Sink = (kind: InvariantKind, bytes: Buffer, from: number, to: number, base: number) => void;

/**
 * Reads the invariants of content that arrives in slices, however it was cut: a line, or a part of a giant line, is
 * looked at only when it is there whole. The same content in other slices gives the same invariants.
 */
export class InvariantReader {
  readonly #sink: Sink;
  /** The beginning of a line whose rest has not come. */
  #rest: Buffer = Buffer.alloc(0);
  /** Where the rest begins in the content. */
  #base = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  *feed(slice: Uint8Array): Generator<void, void> {
    const own = Buffer.from(slice.buffer, slice.byteOffset, slice.length);
    const bytes = this.#rest.length === 0 ? own : Buffer.concat([this.#rest, own]);
    let from = 0;
    for (let next = this.#next(bytes, from); next > from; next = this.#next(bytes, from)) {
      this.#scan(bytes, from, next);
      from = next;
      yield;
    }
    // A copy: the slice belongs to the caller.
    this.#rest = Buffer.from(bytes.subarray(from));
    this.#base += from;
  }

  end(): void {
    this.#scan(this.#rest, 0, this.#rest.length);
    this.#rest = Buffer.alloc(0);
  }

  /** The end of the next lines that are there whole, or of a part of a giant one; `from` where more has to come. */
  #next(bytes: Buffer, from: number): number {
    const end = from + bytes.subarray(from, from + usualRun).lastIndexOf(newline);
    if (end >= from) return end + 1;
    return bytes.length - from > mostPartBytes ? cutAt(bytes, from) : from;
  }

  #scan(bytes: Buffer, from: number, to: number): void {
    const text = bytes.toString('latin1', from, to);
    const emit: Emit = (kind, first, last) => this.#sink(kind, bytes, from + first, from + last, this.#base);
    for (let at = 0; at < text.length;) {
      const found = text.indexOf('\n', at);
      const end = found < 0 ? text.length : found;
      while (end - at > mostPartBytes) {
        const cut = cutAt(bytes, from + at) - from;
        scanLine(text, at, cut, emit);
        at = cut;
      }
      scanLine(text, at, end, emit);
      at = end + 1;
    }
  }
}
