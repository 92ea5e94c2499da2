import type { Page, Plural, Stretch, TabId } from '#vscode/views/protocol.ts';
import { button } from './components.ts';
import { html, swap, type Child } from './dom.ts';
import { loading } from './frame.ts';
import { keep, kept } from './host.ts';
import { RemoteRows } from './remoteRows.ts';
import { VirtualList, type Column, type Rows } from './virtualList.ts';
import { counted, words } from './words.ts';

export type PaneOptions<R> = {
  /** Whose place in the list is kept. */
  tab: TabId;
  label: string;
  columns: readonly Column<R>[];
  keyOf: (row: R) => string;
  look?: (row: R) => string;
  fetch: (stretch: Stretch, signal: AbortSignal) => Promise<Page<R>>;
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
  say: (count: string) => void;
  /** Fetches the list as it is now; from its top where its filters are others. */
  refresh: () => void;
  reset: () => void;
  /** Comes back to where a person was, at the first call. */
  begin: () => void;
};

/** Milliseconds after which a place is kept: scrolling is many small moves. */
const keepMs = 100;

const keepPlace = <R>(tab: TabId, list: VirtualList<R>): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      keep({ places: { ...kept().places, [tab]: list.place } });
    }, keepMs);
  };
};

/** A list of any length with what can be chosen above it and the details of its active row beside it. */
export const listPane = <R>(options: PaneOptions<R>): Pane => {
  const { tab, label, columns, keyOf, look, noSelection, detail, open } = options;
  const count = html('span', { class: 'count muted', role: 'status' });
  const state = html('div', { class: 'state' });
  const details = html('section', { class: 'detail', tabindex: 0, 'aria-label': words.details });
  let shown = '';
  let lent = false;
  const select = (row: R): void => {
    const next = JSON.stringify(row);
    if (next === shown) return;
    shown = next;
    swap(details, ...detail(row));
  };
  const list = new VirtualList<R>({
    label,
    name: tab,
    columns,
    keyOf,
    ...(look && { look }),
    need: (from, to) => remote.need(from, to),
    onSelect: (row) => {
      lent = false;
      select(row);
    },
    onOpen: open,
    onMove: () => moved(),
  });
  const moved = keepPlace(tab, list);
  const showState = (...content: readonly Child[]): void => {
    state.hidden = content.length === 0;
    list.element.hidden = content.length > 0;
    swap(state, ...content);
  };
  const noRow = (): void => {
    shown = '';
    swap(details, html('p', { class: 'muted' }, noSelection));
  };
  const show = (rows: Rows<R>, added: number): void => {
    count.textContent = counted(rows.total, options.counted);
    if (rows.total === 0) showState(...options.empty());
    else if (!state.hidden) showState();
    list.show(rows, added);
    const row = list.selected;
    if (lent) return;
    if (row !== undefined) select(row);
    else if (rows.total === 0) noRow();
  };
  const remote = new RemoteRows<R>({
    fetch: options.fetch,
    keyOf,
    newestFirst: options.newestFirst,
    onRows: show,
    onError: (message) =>
      showState(
        html('p', { class: 'strong', role: 'alert' }, message),
        html(
          'p',
          {},
          button(words.retry, 'primary', () => remote.refresh()),
        ),
      ),
  });
  const begin = (): void => {
    showState(loading(words.waiting));
    const place = kept().places?.[tab];
    if (place) list.restore(place);
    remote.reset(place?.total);
  };
  let begun = false;
  const master = html('div', { class: 'master' }, list.element, state);
  noRow();
  return {
    element: html(
      'div',
      { class: 'pane' },
      html('div', { class: 'tools' }, ...options.tools, count),
      html('div', { class: 'split' }, master, details),
    ),
    master,
    showDetail: (...content) => {
      shown = '';
      lent = true;
      swap(details, ...content);
    },
    release: () => {
      lent = false;
      remote.refresh();
    },
    say: (said) => (count.textContent = said),
    refresh: () => remote.refresh(),
    reset: () => {
      list.reset();
      noRow();
      remote.reset();
    },
    begin: () => {
      if (!begun) begin();
      else remote.refresh();
      begun = true;
    },
  };
};
