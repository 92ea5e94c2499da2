// The lines of some bytes, found once and read by number.
import { characterStart } from '#base/utf8.ts';

/** The lines of some bytes by number, without a string for each of them. Lines count from 0 here, from 1 in answers. */
export type Lines = {
  readonly bytes: Buffer;
  readonly count: number;
  /** The first byte of line `index`; for `count` the end of the bytes. */
  start: (index: number) => number;
  /** Bytes of line `index` without its line end. */
  length: (index: number) => number;
  /** Line `index` without its line end; at most `limit` bytes of it, cut at a character. */
  text: (index: number, limit?: number) => string;
};

const newline = 10;
const carriageReturn = 13;

/** What most readers of a line look at; a 5 MB line costs no more than this. */
const usualLimit = 400;

/** Finds the line starts of `bytes`. A last line without a line end is a line. */
export function* indexLines(bytes: Buffer): Generator<void, Lines> {
  let starts = new Uint32Array(1024);
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    if (count === starts.length) {
      const wider = new Uint32Array(starts.length * 2);
      wider.set(starts);
      starts = wider;
    }
    starts[count++] = at;
    const end = bytes.indexOf(newline, at);
    at = end < 0 ? bytes.length : end + 1;
    if (count % 4096 === 0) yield;
  }
  const start = (index: number): number => (index < count ? (starts[index] ?? 0) : bytes.length);
  const length = (index: number): number => {
    let end = start(index + 1);
    if (end > start(index) && bytes[end - 1] === newline) end--;
    if (end > start(index) && bytes[end - 1] === carriageReturn) end--;
    return end - start(index);
  };
  const text = (index: number, limit = usualLimit): string => {
    const from = start(index);
    const whole = length(index);
    const to = whole <= limit ? from + whole : Math.max(from, characterStart(bytes, from + limit));
    return bytes.toString('utf8', from, to);
  };
  return { bytes, count, start, length, text };
}
