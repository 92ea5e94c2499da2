// What a cell put out, as text by stream and as displays.
import { displayNote, plainText, type Display } from './displays.ts';
import type { Entry } from './entry.ts';
import type { StreamName } from '#kernel/types.ts';
import { StreamText } from './stream.ts';
import { ControlParser } from './terminal.ts';

type TextStream = Exclude<StreamName, 'display'>;

/** Where the text of an entry stands, besides the combined stream. */
const streamOf: { [kind: string]: TextStream } = {
  stdout: 'stdout',
  stderr: 'stderr',
  result: 'result',
  display: 'result',
  error: 'traceback',
};

/**
 * Everything that one cell put out, as text by stream and as displays. It is made of entries alone, so that what is read
 * back from disk gives the same lines under the same numbers.
 */
export class Output {
  readonly displays: Display[] = [];
  readonly #execution: number;
  readonly #limit: number;
  readonly #streams = new Map<TextStream, StreamText>();
  readonly #parsers = { stdout: new ControlParser(), stderr: new ControlParser() };
  readonly #raw: boolean;
  #totals: { [stream: string]: number } | undefined;
  #within = new Set<string>();

  /** `limit`: the most UTF-16 units that each stream keeps. `raw`: controls are text like any other. */
  constructor(execution: number, limit: number, { raw = false } = {}) {
    this.#execution = execution;
    this.#limit = limit;
    this.#raw = raw;
  }

  /** The text of a stream; `display` has none. */
  stream(name: StreamName): StreamText {
    return this.#streams.get(name as TextStream) ?? new StreamText(this.#limit);
  }

  get units(): number {
    return [...this.#streams.values()].reduce((sum, stream) => sum + stream.units, 0);
  }

  get totalLines(): { [stream: string]: number } {
    return Object.fromEntries([...this.#streams].map(([name, stream]) => [name, stream.totalLines]));
  }

  add(entry: Entry): void {
    switch (entry.kind) {
      case 'stdout':
      case 'stderr': {
        const whole = this.#fromLineStart(entry);
        const steps = this.#raw ? [{ text: whole }] : this.#parsers[entry.kind].parse(whole);
        this.#open(entry.kind).apply(steps);
        return this.#open('combined').apply(steps);
      }
      case 'result':
      case 'display':
        return this.#show(entry);
      case 'update':
        return this.#update(entry);
      case 'error':
        return this.#fail(entry);
      case 'end':
        return this.#end();
      case 'gap':
        return this.#openGap(entry);
    }
  }

  /** After a gap a text may begin within a line, which is missing then. */
  #fromLineStart({ kind, text }: Extract<Entry, { text: string }>): string {
    if (!this.#within.has(kind)) return text;
    const end = text.indexOf('\n');
    if (end >= 0) this.#within.delete(kind);
    return end < 0 ? '' : text.slice(end + 1);
  }

  #openGap({ bytes, totalLines, of, within, why, damaged }: Extract<Entry, { kind: 'gap' }>): void {
    this.#totals = totalLines;
    this.#within = new Set(within);
    const names = of ? [...of.flatMap((kind) => streamOf[kind] ?? []), 'combined' as const] : [...this.#streams.keys()];
    const words = damaged ? 'were lost to damage on disk' : why && `could not be written (${why})`;
    for (const name of new Set(names)) this.#open(name).openGap(bytes, words);
  }

  /** All entries of a stored output have been added. */
  complete(): void {
    for (const [name, stream] of this.#streams) stream.closeGap(this.#totals?.[name] ?? 0);
  }

  #open(name: TextStream): StreamText {
    let stream = this.#streams.get(name);
    if (stream === undefined) this.#streams.set(name, (stream = new StreamText(this.#limit)));
    return stream;
  }

  #show({ kind, data, id }: Extract<Entry, { data: unknown }>): void {
    const display = { data, id, updates: 0 };
    this.displays.push(display);
    const note = displayNote(display, this.displays.length);
    const text = this.#plain([plainText(data), note].filter((part) => part).join('\n'));
    if (text === '') return;
    this.#open('result').block(text);
    this.#open('combined').block(kind === 'result' ? `Out[${this.#execution}]: ${text}` : text);
  }

  #update({ data, id }: Extract<Entry, { data: unknown }>): void {
    const shown = this.displays.filter((display) => display.id === id && id !== undefined);
    for (const display of shown) {
      display.data = data;
      display.updates++;
    }
  }

  #fail({ ename, evalue, traceback }: Extract<Entry, { kind: 'error' }>): void {
    const lines = traceback.join('\n');
    const text = this.#plain(lines === '' ? [ename, evalue].filter((part) => part).join(': ') : lines);
    this.#open('traceback').block(text);
    this.#open('combined').block(text);
  }

  #end(): void {
    for (const [n, display] of this.displays.entries()) {
      const text = this.#plain(plainText(display.data));
      if (display.updates === 0 || text === '') continue;
      display.updates = 0;
      for (const name of ['result', 'combined'] as const) this.#open(name).block(`[display ${n + 1}, updated] ${text}`);
    }
  }

  /** A text without controls. */
  #plain(text: string): string {
    if (this.#raw) return text;
    const screen = new StreamText(Number.MAX_SAFE_INTEGER);
    screen.apply(new ControlParser().parse(text));
    return screen.text;
  }
}
