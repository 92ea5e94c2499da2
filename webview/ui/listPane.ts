import type { Page, RowRange } from '#base/page.ts';
import type { Plural } from '#vscode/views/words.ts';
import { button } from './components.ts';
import { html, swap, type Child } from './dom.ts';
import { loading } from './frame.ts';
import { keep, kept } from '#webview/host.ts';
import { RemoteRows } from './remoteRows.ts';
import { VirtualList, type Column, type Rows } from './virtualList.ts';
import { counted, words } from '#webview/words.ts';

export type PaneOptions<R> = {
  /** Whose place in the list is kept. */
  tab: string;
  label: string;
  columns: readonly Column<R>[];
  keyOf: (row: R) => string;
  look?: (row: R) => string;
  fetch: (range: RowRange, signal: AbortSignal) => Promise<Page<R>>;
  newestFirst: boolean;
  /** What is chosen above the list. */
  tools: readonly Child[];
  counted: Plural;
  /** What to do where the list is empty. */
  empty: () => Child[];
  noSelection: string;
  detail: (row: R) => readonly Child[];
  open: (row: R) => void;
};

export type Pane = {
  element: HTMLElement;
  /** Holds the list, or what stands in for it. */
  master: HTMLElement;
  /** Fills the details with what is not a row of the list, until a row is chosen or `release`. */
  showDetail: (...content: readonly Child[]) => void;
  release: () => void;
  /** Says something in place of how many rows there are, until `release`. */
  say: (count: string) => void;
  /** Fetches another list, from its top: the filters are others. */
  reset: () => void;
  /** Fetches the list as it is now; at the first call it comes back to where a person was. */
  begin: () => void;
};

/** Milliseconds after which a place is kept: scrolling is many small moves. */
const keepMs = 100;

const keepPlace = <R>(tab: string, list: VirtualList<R>): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      keep({ places: { ...kept().places, [tab]: list.place } });
    }, keepMs);
  };
};

type Details<R> = {
  element: HTMLElement;
  /** Shows the active row, unless they are lent to something else. */
  follow: (row: R | undefined, total: number) => void;
  /** A person came to a row. */
  choose: (row: R) => void;
  lend: (content: readonly Child[]) => void;
  release: () => void;
  clear: () => void;
};

/** What is known of the active row; made anew only where the row is another, or different. */
const detailsOf = <R>({ noSelection, detail }: PaneOptions<R>): Details<R> => {
  const element = html('section', { class: 'detail', tabindex: 0, 'aria-label': words.details });
  let shown = '';
  let lent = false;
  const show = (row: R): void => {
    const next = JSON.stringify(row);
    if (next === shown) return;
    shown = next;
    swap(element, ...detail(row));
  };
  const clear = (): void => {
    shown = '';
    swap(element, html('p', { class: 'muted' }, noSelection));
  };
  clear();
  return {
    element,
    follow: (row, total) => {
      if (lent) return;
      if (row !== undefined) show(row);
      else if (total === 0) clear();
    },
    choose: (row) => {
      lent = false;
      show(row);
    },
    lend: (content) => {
      shown = '';
      lent = true;
      swap(element, ...content);
    },
    release: () => (lent = false),
    clear,
  };
};

/** Something in place of a list; nothing shows the list. */
const standIn = (list: HTMLElement): { element: HTMLElement; show: (...content: readonly Child[]) => void } => {
  const element = html('div', { class: 'state' });
  const show = (...content: readonly Child[]): void => {
    element.hidden = content.length === 0;
    list.hidden = content.length > 0;
    swap(element, ...content);
  };
  return { element, show };
};

/** A list of any length with what can be chosen above it and the details of its active row beside it. */
export const listPane = <R>(options: PaneOptions<R>): Pane => {
  const { tab, label, columns, keyOf, look, open, newestFirst, fetch } = options;
  const count = html('span', { class: 'count muted', role: 'status' });
  /** What is said in place of the list's count. */
  let instead: string | undefined;
  const details = detailsOf(options);
  const need = (from: number, to: number): void => remote.need(from, to);
  const events = { need, onSelect: details.choose, onOpen: open, onMove: () => moved() };
  const list = new VirtualList<R>({ label, name: tab, columns, keyOf, ...(look && { look }), ...events });
  const moved = keepPlace(tab, list);
  const state = standIn(list.element);
  const onRows = (rows: Rows<R>, added: number): void => {
    count.textContent = instead ?? counted(rows.total, options.counted);
    if (rows.total === 0) state.show(...options.empty());
    else if (!state.element.hidden) state.show();
    list.show(rows, added);
    details.follow(list.selected, rows.total);
  };
  const onError = (message: string): void => {
    const retry = button(words.retry, 'primary', () => remote.refresh());
    state.show(html('p', { class: 'strong', role: 'alert' }, message), html('p', {}, retry));
  };
  const remote = new RemoteRows<R>({ fetch, keyOf, newestFirst, onRows, onError });
  const begin = (): void => {
    state.show(loading(words.waiting));
    const place = kept().places?.[tab];
    if (place) list.restore(place);
    remote.reset(place?.total);
  };
  let begun = false;
  const tools = html('div', { class: 'tools' }, ...options.tools, count);
  const master = html('div', { class: 'master' }, list.element, state.element);
  return {
    element: html('div', { class: 'pane' }, tools, html('div', { class: 'split' }, master, details.element)),
    master,
    showDetail: (...content) => details.lend(content),
    release: () => {
      instead = undefined;
      details.release();
      remote.refresh();
    },
    say: (said) => {
      instead = said;
      count.textContent = said;
    },
    reset: () => {
      list.reset();
      details.clear();
      remote.reset();
    },
    begin: () => {
      if (!begun) begin();
      else remote.refresh();
      begun = true;
    },
  };
};
