// The small terminal: controls in a text, and the screen that they change.
import { LineLog } from './lineLog.ts';

/** What a text asks of a screen: to write, to move, or to erase. Colours and all other controls ask for nothing. */
type Step =
  | { text: string }
  | { move: 'up' | 'down' | 'right' | 'left' | 'column'; by: number }
  | { erase: 'toEnd' | 'toStart' | 'line' | 'below' };

// oxlint-disable no-control-regex -- control characters are what this is about
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
// CSI, a string up to its terminator (OSC, DCS, SOS, PM, APC), any other escape, any other control.
const sequence =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-OQ-WYZ\\`-~]|[\0-\x08\x0b-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]/g;
/** The begin of a sequence whose rest is in the next chunk. */
const unfinished =
  /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]*\x1b?|[ -/]*)|\x9b[0-?]*[ -/]*|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c]*\x1b?)$/;
/** A sequence longer than this is none. */
const longest = 8_192;

const moves = { A: 'up', B: 'down', C: 'right', D: 'left', G: 'column' } as const;

const stepOf = (match: RegExpExecArray): Step | undefined => {
  const [all, parameters, final] = match;
  if (all === '\r') return { move: 'column', by: 1 };
  if (all === '\b') return { move: 'left', by: 1 };
  if (final === undefined) return undefined;
  const first = Number(/^\d+/.exec(parameters ?? '')?.[0] ?? Number.NaN);
  if (final in moves) return { move: moves[final as keyof typeof moves], by: Math.max(1, first || 1) };
  if (final === 'K') return { erase: first === 1 ? 'toStart' : first === 2 ? 'line' : 'toEnd' };
  return final === 'J' && !(first > 0) ? { erase: 'below' } : undefined;
};

/** Reads controls out of one stream's text, also where a chunk's border cuts one in two. */
export class ControlParser {
  #pending = '';

  parse(chunk: string): Step[] {
    if (this.#pending === '' && !control.test(chunk)) return [{ text: chunk }];
    let text = this.#pending + chunk;
    this.#pending = '';
    const cut = unfinished.exec(text.slice(-longest));
    if (cut) {
      this.#pending = cut[0];
      text = text.slice(0, text.length - cut[0].length);
    }
    const steps: Step[] = [];
    let at = 0;
    for (const match of text.matchAll(sequence)) {
      if (match.index > at) steps.push({ text: text.slice(at, match.index) });
      at = match.index + match[0].length;
      const step = stepOf(match);
      if (step) steps.push(step);
    }
    // A lone escape that begins nothing is no text either.
    if (at < text.length) steps.push({ text: text.slice(at).replaceAll('\x1b', '') });
    return steps;
  }
}

/** Lines that may be taken back from the log by one move upwards. */
const reach = 1_000;

/**
 * The small terminal: the lines that the cursor can still change, above them a log of those that are done. Columns are
 * UTF-16 units.
 */
export class Screen {
  readonly log: LineLog;
  readonly #limit: number;
  #rows: string[] = [''];
  #row = 0;
  #column = 0;
  #dropped = 0;

  constructor(limit: number) {
    this.log = new LineLog(limit);
    this.#limit = limit;
  }

  /** The lines below the log; the last may be empty, which is no line. */
  get open(): readonly string[] {
    return this.#rows;
  }

  /** Units of an endless line that were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  get atLineStart(): boolean {
    return this.#row === this.#rows.length - 1 && this.#rows[this.#row] === '';
  }

  apply(steps: readonly Step[]): void {
    for (const step of steps) {
      if ('text' in step) this.write(step.text);
      else if ('move' in step) this.#move(step.move, step.by);
      else this.#erase(step.erase);
    }
  }

  write(text: string): void {
    const line = this.#rows[this.#row] as string;
    const atEnd = this.#row === this.#rows.length - 1 && this.#column === line.length;
    const end = atEnd ? text.lastIndexOf('\n') : -1;
    if (end >= 0) {
      this.log.append(`${this.#rows.join('\n')}${text.slice(0, end + 1)}`);
      this.#rows = [''];
      this.#row = this.#column = 0;
      return this.#put(text.slice(end + 1));
    }
    if (atEnd) return this.#put(text);
    const [first = '', ...others] = text.split('\n');
    this.#put(first);
    for (const other of others) {
      this.#newLine();
      this.#put(other);
    }
  }

  #put(text: string): void {
    const line = this.#rows[this.#row] as string;
    const column = this.#column;
    this.#column += text.length;
    if (column === line.length) {
      const room = Math.max(0, this.#limit - line.length);
      this.#dropped += Math.max(0, text.length - room);
      this.#rows[this.#row] = line + (text.length > room ? text.slice(0, room) : text);
      this.#column = (this.#rows[this.#row] as string).length;
    } else this.#rows[this.#row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
  }

  #newLine(): void {
    if (this.#row < this.#rows.length - 1) this.#row++;
    else {
      this.log.append(`${this.#rows.join('\n')}\n`);
      this.#rows = [''];
      this.#row = 0;
    }
    this.#column = 0;
  }

  #move(move: 'up' | 'down' | 'right' | 'left' | 'column', by: number): void {
    if (move === 'column') this.#column = by - 1;
    else if (move === 'right') this.#column += Math.min(by, reach);
    else if (move === 'left') this.#column = Math.max(0, this.#column - by);
    else if (move === 'down') this.#row = Math.min(this.#rows.length - 1, this.#row + by);
    else for (let n = Math.min(by, reach); n > 0 && this.#up(); n--);
  }

  #up(): boolean {
    if (this.#row > 0) {
      this.#row--;
      return true;
    }
    const line = this.log.takeBack();
    if (line !== undefined) this.#rows.unshift(line);
    return line !== undefined;
  }

  #erase(what: 'toEnd' | 'toStart' | 'line' | 'below'): void {
    const line = this.#rows[this.#row] as string;
    if (what === 'toStart') this.#rows[this.#row] = ''.padEnd(this.#column) + line.slice(this.#column);
    else this.#rows[this.#row] = what === 'line' ? '' : line.slice(0, this.#column);
    if (what === 'below') this.#rows.length = this.#row + 1;
  }
}
