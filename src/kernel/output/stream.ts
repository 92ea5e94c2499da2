// One stream of a cell, by lines.
import type { Missing } from '#kernel/types.ts';
import { Screen, type ControlParser } from './terminal.ts';

type Steps = ReturnType<ControlParser['parse']>;

/** The text of one stream as a person would see it, by lines. */
export class StreamText {
  readonly #screen: Screen;

  /** `limit`: the most UTF-16 units that are kept. */
  constructor(limit: number) {
    this.#screen = new Screen(limit);
  }

  get totalLines(): number {
    return this.#screen.log.lines + this.#openLines().length;
  }

  get units(): number {
    return this.#screen.log.units + this.#openLines().join('\n').length;
  }

  get missing(): Missing | undefined {
    const { missing } = this.#screen.log;
    const { dropped } = this.#screen;
    if (dropped === 0) return missing;
    const { totalLines } = this;
    return { from: totalLines, to: totalLines, why: undefined, ...missing, units: (missing?.units ?? 0) + dropped };
  }

  apply(steps: Steps): void {
    this.#screen.apply(steps);
  }

  /** Text without controls, on lines of its own. */
  block(text: string): void {
    if (!this.#screen.atLineStart) this.#screen.write('\n');
    this.#screen.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  openGap(units: number, why: string | undefined): void {
    const within = !this.#screen.atLineStart;
    if (within) this.#screen.write('\n');
    this.#screen.log.openGap({ units, why, within });
  }

  closeGap(totalLines: number): void {
    this.#screen.log.closeGap(totalLines - this.#openLines().length);
  }

  /** Each stretch of lines that is kept, from line `from` on, joined by line ends; `first` is its first line's number. */
  *stretches(from = 1): Generator<{ first: number; text: string }> {
    for (const { first, text } of this.#screen.log.pieces(from)) yield { first, text: text.slice(0, -1) };
    const open = this.#openLines();
    if (open.length > 0) yield { first: this.#screen.log.lines + 1, text: open.join('\n') };
  }

  /** All that is kept. */
  get text(): string {
    return Array.from(this.stretches(), ({ text }) => text).join('\n');
  }

  /** Each line that is kept, from line `from` on, with its number. */
  *lines(from = 1): Generator<[number: number, line: string]> {
    for (const { first, text } of this.stretches(from)) {
      const lines = text.split('\n');
      for (let n = Math.max(0, from - first); n < lines.length; n++) yield [first + n, lines[n] as string];
    }
  }

  #openLines(): readonly string[] {
    const { open } = this.#screen;
    return open.at(-1) === '' ? open.slice(0, -1) : open;
  }
}
