// Lines of a stream, of which the first and the last are kept.
import type { Missing } from '#kernel/types.ts';

/** Lines that are not kept, between the first and the last ones that are. */
type Gap = Pick<Missing, 'units' | 'why'> & {
  lines: number;
  /** It begins within the line before. */
  within: boolean;
};

type Piece = { text: string; lines: number };

/** Small texts are joined until a piece has so many UTF-16 units. */
const pieceUnits = 32 * 1024;

const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
};

/**
 * Whole lines that are only ever added (but for the last ones, which a terminal may take back). Past its limit it keeps
 * the first three quarters and the newest rest; line numbers stay true.
 */
export class LineLog {
  readonly #head: Piece[] = [];
  readonly #tail: Piece[] = [];
  readonly #limit: number;
  #headLines = 0;
  #tailLines = 0;
  #headUnits = 0;
  #tailUnits = 0;
  #gap: Gap | undefined;

  /** `limit` in UTF-16 units. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get lines(): number {
    return this.#headLines + (this.#gap?.lines ?? 0) + this.#tailLines;
  }

  get units(): number {
    return this.#headUnits + this.#tailUnits;
  }

  /** First and last line that are missing. */
  get missing(): Missing | undefined {
    if (this.#gap === undefined) return undefined;
    const { lines, units, why, within } = this.#gap;
    const from = Math.max(1, this.#headLines + (within || lines === 0 ? 0 : 1));
    return { from, to: Math.max(from, this.#headLines + lines), units, why };
  }

  /** Adds text that ends in a line end. */
  append(text: string): void {
    const lines = countLines(text);
    if (this.#gap === undefined && this.#headUnits + text.length <= this.#limit * 0.75) {
      this.#headLines += lines;
      this.#headUnits += text.length;
      return add(this.#head, text, lines);
    }
    this.#gap ??= { lines: 0, units: 0, why: undefined, within: false };
    this.#tailLines += lines;
    this.#tailUnits += text.length;
    add(this.#tail, text, lines);
    while (this.#tailUnits > this.#limit / 4 && this.#tail.length > 1)
      this.#drop(this.#tail.shift() as Piece, this.#gap);
  }

  /** The last line without its end, taken out again; undefined where there is none. */
  takeBack(): string | undefined {
    const inTail = this.#tail.length > 0;
    const pieces = inTail ? this.#tail : this.#head;
    const last = pieces.at(-1);
    if (last === undefined || (this.#gap !== undefined && !inTail)) return undefined;
    const start = last.text.lastIndexOf('\n', last.text.length - 2) + 1;
    const line = last.text.slice(start, -1);
    last.text = last.text.slice(0, start);
    last.lines--;
    if (last.text === '') pieces.pop();
    if (inTail) {
      this.#tailLines--;
      this.#tailUnits -= line.length + 1;
    } else {
      this.#headLines--;
      this.#headUnits -= line.length + 1;
    }
    return line;
  }

  /** What follows is the end of a text whose middle is missing; `closeGap` says how long it was. */
  openGap(gap: Omit<Gap, 'lines'>): void {
    this.#gap ??= { lines: 0, ...gap };
  }

  closeGap(totalLines: number): void {
    if (this.#gap) this.#gap.lines = Math.max(0, totalLines - this.#headLines - this.#tailLines);
  }

  /** Every piece that is kept, in order, each with the number of its first line. */
  *pieces(from = 1): Generator<{ first: number; text: string }> {
    let first = 1;
    for (const [pieces, skipped] of [
      [this.#head, this.#gap?.lines ?? 0],
      [this.#tail, 0],
    ] as const) {
      for (const { text, lines } of pieces) {
        if (first + lines > from) yield { first, text };
        first += lines;
      }
      first += skipped;
    }
  }

  #drop(piece: Piece, gap: Gap): void {
    gap.lines += piece.lines;
    gap.units += piece.text.length;
    this.#tailLines -= piece.lines;
    this.#tailUnits -= piece.text.length;
  }
}

const add = (pieces: Piece[], text: string, lines: number): void => {
  const last = pieces.at(-1);
  if (last !== undefined && last.text.length + text.length <= pieceUnits) {
    last.text += text;
    last.lines += lines;
  } else pieces.push({ text, lines });
};
