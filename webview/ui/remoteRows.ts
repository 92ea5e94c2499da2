import type { Page, RowRange } from '#base/page.ts';
import type { Rows } from './virtualList.ts';

/** Rows that are asked for at once. */
const pageRows = 100;
/** Rows that are held; those far from what is seen go. */
const mostRows = 5_000;

export type RemoteOptions<R> = {
  fetch: (range: RowRange, signal: AbortSignal) => Promise<Page<R>>;
  keyOf: (row: R) => string;
  /** New rows are put before the others. */
  newestFirst: boolean;
  /** What is here changed. `added`: rows that came in before all others, less those that went. */
  onRows: (rows: Rows<R>, added: number) => void;
  onError: (message: string) => void;
};

/**
 * Rows of a list that lies with the extension, fetched as they are looked at, a page at a time. After a change what was
 * here is shown until its page has come again.
 */
export class RemoteRows<R> {
  readonly #options: RemoteOptions<R>;
  #rows = new Map<number, R>();
  #fresh = new Set<number>();
  #total: number | undefined;
  #range: readonly [from: number, to: number] = [0, 1];
  #running: AbortController | undefined;

  constructor(options: RemoteOptions<R>) {
    this.#options = options;
  }

  /** Another list, of which nothing is known; `total` where a person comes back to one. */
  reset(total?: number): void {
    this.#stop();
    // Not cleared: what is on show may be looked at until the new rows are here.
    this.#rows = new Map();
    this.#total = total;
    this.#range = [0, 1];
    this.#pump();
  }

  /** Something may be different. */
  refresh(): void {
    this.#stop();
    this.#pump();
  }

  need(from: number, to: number): void {
    this.#range = [from, to];
    this.#pump();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#fresh.clear();
  }

  /** One page after the other, and only of what is looked at now: a long scroll asks for little of what it passes. */
  #pump(): void {
    if (this.#running !== undefined) return;
    const [from, to] = this.#range;
    let page = Math.floor(from / pageRows);
    while (this.#fresh.has(page)) page++;
    if (page * pageRows >= to) return;
    const control = (this.#running = new AbortController());
    this.#options.fetch({ offset: page * pageRows, limit: pageRows }, control.signal).then(
      (found) => {
        if (control.signal.aborted) return;
        this.#running = undefined;
        this.#take(page, found);
        this.#pump();
      },
      (error: Error) => {
        if (control.signal.aborted) return;
        this.#running = undefined;
        this.#options.onError(error.message);
      },
    );
  }

  #take(page: number, { rows, total }: Page<R>): void {
    const added = this.#options.newestFirst && this.#total !== undefined ? total - this.#total : 0;
    if (added !== 0) {
      this.#rows = new Map([...this.#rows].map(([index, row]) => [index + added, row]));
      // Pages that came before were cut otherwise.
      this.#fresh.clear();
    }
    this.#total = total;
    for (const index of this.#rows.keys()) if (index < 0 || index >= total) this.#rows.delete(index);
    for (const [n, row] of rows.entries()) this.#rows.set(page * pageRows + n, row);
    this.#fresh.add(page);
    this.#forget();
    const { keyOf } = this.#options;
    const all = this.#rows;
    const indexOf = (key: string): number | undefined => {
      for (const [index, row] of all) if (keyOf(row) === key) return index;
      return undefined;
    };
    this.#options.onRows({ total, at: (index) => all.get(index), indexOf }, added);
  }

  #forget(): void {
    if (this.#rows.size <= mostRows) return;
    const [from, to] = this.#range;
    for (const index of this.#rows.keys())
      if (index < from - 2 * pageRows || index > to + 2 * pageRows) {
        this.#rows.delete(index);
        this.#fresh.delete(Math.floor(index / pageRows));
      }
  }
}
