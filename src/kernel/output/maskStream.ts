// Masks what a cell puts out as it comes: a line is held back until it ends.
import { findInText, type FindingInText } from '#base/maskText.ts';
import { maskFor } from '#base/secrets/mask.ts';
import { openKeyStart } from '#base/secrets/privateKeys.ts';
import type { Entry } from './entry.ts';
import { maskEntry } from './maskEntry.ts';

/** Milliseconds for which text is held back at most, and units of a line. */
export const longestHold = 1_000;
const mostHeld = 65_536;
/** Units of a line that was shown before it ended which are looked at again as its rest comes. */
const mostShown = 4_096;

type StreamName = 'stdout' | 'stderr';
/** Text that waits to be shown; `masked` once it is known what of it may be. */
type Piece = { kind: StreamName; text: string; masked: string | undefined; at: number };
/** The line that a stream writes: what of it is shown already, and what waits. */
type Line = { shown: string; held: Piece[]; units: number };

const newLine = (): Line => ({ shown: '', held: [], units: 0 });
const wholeOf = ({ shown, held }: Line): string => shown + held.map(({ text }) => text).join('');

/** Where the last line of `text` begins: `\r` ends one too, or a progress bar would not be seen. */
const lastLine = (text: string): number => Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;

/** What is shown of the units `from` to `to` of `whole`. A secret that began before them has its mask there, or was shown. */
const maskedPart = (
  whole: string,
  found: readonly FindingInText[],
  from: number,
  to: number,
  shown: number,
): string => {
  let masked = '';
  let at = from;
  for (const { start, end, rule, length } of found) {
    if (end <= at || start >= to) continue;
    const first = Math.max(start, shown);
    masked += whole.slice(at, Math.max(at, start));
    if (first >= from) {
      const rest = whole.slice(first, end);
      masked += maskFor(rest, rule, first === start ? length : Buffer.byteLength(rest));
    }
    at = Math.min(end, to);
  }
  return masked + whole.slice(at, to);
};

/**
 * Takes the entries of one cell and gives them on in their order, with the secrets in them masked. A secret may come in several
 * writes: text of a stream waits for the end of its line, or of its private key, and what the other stream writes meanwhile
 * waits behind it, at most a second. Of a line that goes on after that only what is shown already can show a secret. Whatever
 * else a cell puts out, and its end, ends the wait.
 */
export class MaskStream {
  readonly #emit: (entry: Entry) => void;
  readonly #lines = { stdout: newLine(), stderr: newLine() };
  /** In the order of their writing. */
  #queue: Piece[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (entry: Entry) => void) {
    this.#emit = emit;
  }

  add(entry: Entry): void {
    if (entry.kind !== 'stdout' && entry.kind !== 'stderr') {
      this.release();
      return this.#emit(maskEntry(entry));
    }
    const { kind, text } = entry;
    const line = this.#lines[kind];
    const end = lastLine(text);
    if (end > 0) {
      this.#hold(kind, text.slice(0, end));
      const whole = wholeOf(line);
      const key = openKeyStart(whole);
      this.#settle(line, whole, key === undefined ? whole.length : lastLine(whole.slice(0, key)));
    }
    if (end < text.length) this.#hold(kind, text.slice(end));
    if (line.units > mostHeld) {
      const whole = wholeOf(line);
      this.#settle(line, whole, whole.length - mostShown);
    }
    this.#drain();
  }

  /** Gives on whatever is held back. */
  release(): void {
    for (const line of Object.values(this.#lines)) this.#settleAll(line);
    this.#drain();
  }

  /** Drops whatever is held back. */
  drop(): void {
    this.#queue = [];
    Object.assign(this.#lines, { stdout: newLine(), stderr: newLine() });
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #hold(kind: StreamName, text: string): void {
    const line = this.#lines[kind];
    line.units += text.length;
    const last = this.#queue.at(-1);
    // Many small writes are one piece.
    if (last?.kind === kind && last.masked === undefined) last.text += text;
    else {
      const piece: Piece = { kind, text, masked: undefined, at: Date.now() };
      line.held.push(piece);
      this.#queue.push(piece);
    }
  }

  #settleAll(line: Line): void {
    if (line.held.length === 0) return;
    const whole = wholeOf(line);
    this.#settle(line, whole, whole.length);
  }

  /** The first `to` units of `whole`, which are what is shown and held of `line`, may be shown. */
  #settle(line: Line, whole: string, to: number): void {
    if (to <= line.shown.length) return;
    const found = findInText(whole);
    let at = line.shown.length;
    while (at < to) {
      const piece = line.held[0];
      if (piece === undefined) break;
      const end = Math.min(to, at + piece.text.length);
      const first = end < at + piece.text.length ? this.#split(line, end - at) : piece;
      first.masked = maskedPart(whole, found, at, end, line.shown.length);
      line.held.shift();
      line.units -= end - at;
      at = end;
    }
    line.shown = whole.slice(Math.max(openKeyStart(whole) ?? lastLine(whole.slice(0, to)), to - mostShown), to);
  }

  /** Makes two of the first piece of `line`; answers with the first of them. */
  #split(line: Line, units: number): Piece {
    const piece = line.held[0] as Piece;
    const rest: Piece = { ...piece, text: piece.text.slice(units) };
    piece.text = piece.text.slice(0, units);
    line.held.splice(1, 0, rest);
    this.#queue.splice(this.#queue.indexOf(piece) + 1, 0, rest);
    return piece;
  }

  #drain(): void {
    let count = 0;
    for (const { kind, masked } of this.#queue) {
      if (masked === undefined) break;
      count++;
      if (masked !== '') this.#emit({ kind, text: masked });
    }
    this.#queue.splice(0, count);
    this.#plan();
  }

  /** What is held longest goes on in time. */
  #plan(): void {
    const [first] = this.#queue;
    if (first === undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#due(), Math.max(0, first.at + longestHold - Date.now()));
    }
  }

  #due(): void {
    this.#timer = undefined;
    const before = Date.now() - longestHold;
    for (const line of Object.values(this.#lines)) if ((line.held[0]?.at ?? Infinity) <= before) this.#settleAll(line);
    this.#drain();
  }
}
