// Finds the lines that a pattern matches in bytes that arrive in blocks, cut anywhere.
import type { Pattern } from './pattern.ts';

/** A line that a pattern matches: its number from 1, its bytes in the document, and where the match begins. */
export type LineHit = { line: number; start: number; end: number; at: number };

/** A longer line is matched in pieces that overlap: each takes some milliseconds. */
const pieceBytes = 65_536;
const overlap = 4_096;

/** Where `pattern` matches in `bytes`, from 0; -1 where it does not. */
function* indexIn(bytes: Buffer, pattern: Pattern): Generator<void, number> {
  for (let from = 0; ; from += pieceBytes - overlap) {
    const text = bytes.toString('utf8', from, from + pieceBytes);
    const at = pattern.indexIn(text);
    if (at >= 0) return from + Buffer.byteLength(text.slice(0, at));
    if (from + pieceBytes >= bytes.length) return -1;
    yield;
  }
}

/** The lines of a document, read block after block; what a block's last line lacks is in the next one. */
export class LineScanner {
  readonly #pattern: Pattern;
  #rest: Buffer[] = [];
  /** First byte, and number, of the line that `#rest` begins. */
  #start = 0;
  #line = 1;

  constructor(pattern: Pattern) {
    this.#pattern = pattern;
  }

  *read(block: Buffer, last: boolean): Generator<void, LineHit[]> {
    const end = last ? block.length : block.lastIndexOf(10) + 1;
    if (end === 0 && !last) {
      this.#rest.push(block);
      return [];
    }
    const bytes = Buffer.concat([...this.#rest, block.subarray(0, end)]);
    this.#rest = [block.subarray(end)];
    const start = this.#start;
    this.#start += bytes.length;
    return yield* this.#lines(bytes, start);
  }

  *#lines(bytes: Buffer, start: number): Generator<void, LineHit[]> {
    const hits: LineHit[] = [];
    const short = bytes.length <= 2 * pieceBytes;
    const skip = short && !this.#pattern.mayMatch(bytes.toString('utf8').replaceAll('\r\n', '\n'));
    yield;
    for (let from = 0; from < bytes.length; this.#line++) {
      const newline = bytes.indexOf(10, from);
      const next = newline < 0 ? bytes.length : newline + 1;
      if (!skip) {
        const stop = newline < 0 ? next : newline - (bytes[newline - 1] === 13 && newline > from ? 1 : 0);
        const at = yield* indexIn(bytes.subarray(from, stop), this.#pattern);
        if (at >= 0) hits.push({ line: this.#line, start: start + from, end: start + next, at: start + from + at });
        if (this.#line % 256 === 0) yield;
      }
      from = next;
    }
    return hits;
  }
}
