import { html, type Child } from './dom.ts';

/** Pixels of a row, as in VS Code's own lists. */
const rowHeight = 22;
/** Rows drawn above and below what is seen. */
const beyond = 12;

export type Column<R> = { key: string; title: string; content: (row: R) => Child };

/** Rows of a list, of which some may not be here yet. */
export type Rows<R> = {
  total: number;
  at: (index: number) => R | undefined;
  /** Where the row of a key stands; undefined where it is not here. */
  indexOf: (key: string) => number | undefined;
};

/** Where a person is in a list. */
export type Place = { top: number; total: number; index: number; key?: string | undefined };

export type ListOptions<R> = {
  label: string;
  /** Its style's name: a class. */
  name: string;
  columns: readonly Column<R>[];
  keyOf: (row: R) => string;
  /** Classes of a row. */
  look?: (row: R) => string;
  /** Rows that come into view. */
  need: (from: number, to: number) => void;
  /** The row that a person came to, by keys or by the pointer. */
  onSelect: (row: R) => void;
  /** Enter, or two clicks. */
  onOpen: (row: R) => void;
  /** The place changed. */
  onMove?: () => void;
};

let lists = 0;

/**
 * A list of any length of which only what is seen is drawn. It keeps the focus itself and names the active row, so that
 * neither is lost when rows come, go or scroll away.
 */
export class VirtualList<R> {
  readonly element: HTMLElement;
  readonly #options: ListOptions<R>;
  readonly #body: HTMLElement;
  readonly #id = `list${++lists}`;
  readonly #drawn = new Map<number, HTMLElement>();
  #rows: Rows<R> = { total: 0, at: () => undefined, indexOf: () => undefined };
  #index = -1;
  #key: string | undefined;
  #drawing = false;
  /** How far it is scrolled. The element itself forgets it while it is hidden. */
  #top = 0;
  #hidden = false;
  /** Where to be once the rows are there. */
  #wanted: number | undefined;

  constructor(options: ListOptions<R>) {
    this.#options = options;
    this.#body = html('div', { class: 'rows', role: 'rowgroup' });
    const heads = options.columns.map(({ key, title }) =>
      html('span', { role: 'columnheader', class: `cell ${key}` }, title),
    );
    this.element = html(
      'div',
      {
        class: `list ${options.name}`,
        role: 'grid',
        tabindex: 0,
        'aria-label': options.label,
        'data-key': options.name,
      },
      html(
        'div',
        { role: 'rowgroup', class: 'head' },
        html('div', { role: 'row', class: 'line', 'aria-rowindex': 1 }, ...heads),
      ),
      this.#body,
    );
    this.element.addEventListener('scroll', () => this.#later());
    this.element.addEventListener('keydown', (event) => this.#press(event));
    this.element.addEventListener('click', (event) => this.#click(event));
    new ResizeObserver(() => this.#later()).observe(this.element);
  }

  get place(): Place {
    return { top: this.#top, total: this.#rows.total, index: this.#index, key: this.#key };
  }

  /** The active row, where it is here. */
  get selected(): R | undefined {
    const row = this.#rows.at(this.#index);
    return row !== undefined && this.#options.keyOf(row) === this.#key ? row : undefined;
  }

  /** Goes back to where a person was; rows that were added above since then move it down. */
  restore({ top, index, key }: Place): void {
    this.#index = index;
    this.#key = key;
    this.#wanted = top;
  }

  /** Begins anew, at the top: another list. */
  reset(): void {
    this.#index = -1;
    this.#key = undefined;
    this.#wanted = undefined;
    this.#scroll(0);
  }

  /** Shows `rows`, of which `added` (or fewer than none) came in at the top; what was seen and active stays so. */
  show(rows: Rows<R>, added = 0): void {
    this.#rows = rows;
    this.#body.style.height = `${rows.total * rowHeight}px`;
    this.element.setAttribute('aria-rowcount', String(rows.total + 1));
    const top = this.#wanted ?? (this.element.clientHeight === 0 ? this.#top : this.element.scrollTop);
    this.#wanted = undefined;
    if (this.#index >= 0) this.#index += added;
    this.#scroll(top > 0 ? top + added * rowHeight : 0);
    this.#find();
    this.#draw(true);
  }

  /** Where the active row stands now. One that is gone leaves its place to the next. */
  #find(): void {
    if (this.#index < 0) return;
    const index = this.#key === undefined ? undefined : this.#rows.indexOf(this.#key);
    this.#index = index ?? Math.min(this.#index, this.#rows.total - 1);
    const row = this.#rows.at(this.#index);
    // A key press had gone to a row that was not here yet.
    if (this.#key === undefined && row !== undefined) this.#choose(row);
  }

  #choose(row: R): void {
    this.#key = this.#options.keyOf(row);
    this.#options.onSelect(row);
  }

  #scroll(top: number): void {
    this.element.scrollTop = top;
    this.#top = this.element.clientHeight === 0 ? top : this.element.scrollTop;
  }

  #later(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      if (this.element.clientHeight === 0) {
        this.#hidden = true;
        return;
      }
      if (this.#hidden) this.#scroll(this.#top);
      this.#hidden = false;
      this.#top = this.element.scrollTop;
      this.#draw(false);
      this.#options.onMove?.();
    });
  }

  #visible(): [first: number, rows: number] {
    const first = Math.floor(this.element.scrollTop / rowHeight);
    return [first, Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1)];
  }

  /** Draws what is seen; `anew` also what was drawn before. */
  #draw(anew: boolean): void {
    const [first, seen] = this.#visible();
    const from = Math.max(0, first - beyond);
    const to = Math.min(this.#rows.total, first + seen + 2 + beyond);
    for (const index of this.#drawn.keys()) if (anew || index < from || index >= to) this.#erase(index);
    // From below: each is put before the one that follows it.
    for (let index = to - 1; index >= from; index--) if (!this.#drawn.has(index)) this.#add(index);
    const active = this.#drawn.get(this.#index)?.id;
    if (active === undefined) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', active);
    if (to > from) this.#options.need(from, to);
  }

  #erase(index: number): void {
    this.#drawn.get(index)?.remove();
    this.#drawn.delete(index);
  }

  #add(index: number): void {
    const { columns, look } = this.#options;
    const row = this.#rows.at(index);
    const active = index === this.#index;
    const cells = columns.map(({ key, content }, n) => {
      const said = row === undefined ? (n === 0 ? '…' : '') : content(row);
      return html(
        'span',
        { role: 'gridcell', class: `cell ${key}`, title: typeof said === 'string' ? said : undefined },
        said,
      );
    });
    const element = html(
      'div',
      {
        role: 'row',
        id: `${this.#id}-${index}`,
        class: ['line', active ? 'active' : '', row === undefined ? '' : (look?.(row) ?? '')].join(' ').trim(),
        'aria-rowindex': index + 2,
        'aria-selected': String(active),
      },
      ...cells,
    );
    element.style.top = `${index * rowHeight}px`;
    this.#drawn.set(index, element);
    // In their order, for who reads without seeing.
    this.#body.insertBefore(element, this.#drawn.get(index + 1) ?? null);
  }

  #press(event: KeyboardEvent): void {
    if (event.target !== this.element || event.altKey || event.ctrlKey || event.metaKey) return;
    const [, page] = this.#visible();
    const { total } = this.#rows;
    const moves: Record<string, number> = {
      ArrowDown: this.#index + 1,
      ArrowUp: this.#index - 1,
      PageDown: this.#index + page,
      PageUp: this.#index - page,
      Home: 0,
      End: total - 1,
      ' ': this.#index,
    };
    const to = moves[event.key];
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to !== undefined) return this.#select(to);
    const row = this.selected;
    if (row !== undefined) this.#options.onOpen(row);
  }

  /** The second of two clicks opens. No dblclick is waited for: the first one may have drawn the row anew. */
  #click(event: MouseEvent): void {
    if (event.clientY < this.element.getBoundingClientRect().top + rowHeight) return;
    this.#select(Math.floor((event.clientY - this.#body.getBoundingClientRect().top) / rowHeight));
    const row = this.selected;
    if (event.detail === 2 && row !== undefined) this.#options.onOpen(row);
  }

  #select(to: number): void {
    const { total } = this.#rows;
    if (total === 0) return;
    const before = this.#index;
    this.#index = Math.min(Math.max(to, 0), total - 1);
    this.#reveal();
    this.#key = undefined;
    const row = this.#rows.at(this.#index);
    if (row !== undefined) this.#choose(row);
    // Not where it was active before: the second of two clicks meets the same row.
    if (before !== this.#index) for (const index of [before, this.#index]) this.#erase(index);
    this.#draw(false);
    this.#options.onMove?.();
  }

  /** The row below the list's head, or above its end. */
  #reveal(): void {
    const { element } = this;
    const top = this.#index * rowHeight;
    const room = element.clientHeight - rowHeight;
    if (top < element.scrollTop) this.#scroll(top);
    else if (top + rowHeight > element.scrollTop + room) this.#scroll(top + rowHeight - room);
  }
}
