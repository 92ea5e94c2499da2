import type { PassagePage } from '#drawer/asks.ts';
import type { Passage } from '#drawer/contents.ts';
import type { Snapshot } from '#vscode/views/protocol.ts';
import { button } from '#webview/ui/components.ts';
import { documentDetail } from './documentDetail.ts';
import { html, swap, type Child } from '#webview/ui/dom.ts';
import type { Pane } from '#webview/ui/listPane.ts';
import { filtersOf, type TabContext } from '#webview/tab.ts';
import { VirtualList, type Column } from '#webview/ui/virtualList.ts';
import { counted, fill } from '#webview/words.ts';
import { ask, openDocument, words } from './drawer.ts';
import { number } from '#webview/ui/format.ts';

/** A line of a passage; the first one of each names the document. */
type Line = { key: string; doc: string; line: number; title?: string; text: string; hit: boolean };

const linesOf = (passage: Passage, place: number): Line[] => {
  const { doc, title, newer, lines, hits, text } = passage;
  const found = new Set(hits);
  const all = text.replace(/\n$/, '').split('\n');
  const shown = all.map((line, n) => {
    const number = lines[0] + n;
    return { key: `${place} ${doc} ${number}`, doc, line: number, text: line.slice(0, 500), hit: found.has(number) };
  });
  const first = shown.find(({ hit }) => hit)?.line ?? lines[0];
  const range = fill(words.passage, number(lines[0]), number(lines[1]));
  const version = newer === undefined ? '' : ` · ${fill(words.newer, newer)}`;
  return [
    { key: `${place} ${doc}`, doc, line: first, title: `${title} · ${range}${version}`, text: doc, hit: false },
    ...shown,
  ];
};

const columns: readonly Column<Line>[] = [
  {
    key: 'at',
    title: words.lineColumn,
    content: ({ title, line, text }) => (title === undefined ? number(line) : text),
  },
  { key: 'text', title: words.results, content: ({ title, text }) => title ?? (text.trim() === '' ? '\u00a0' : text) },
];

const keyOf = ({ key }: Line): string => key;

/** Rows that are all here. */
const rowsOf = (lines: readonly Line[]) => ({
  total: lines.length,
  at: (index: number) => lines[index],
  indexOf: (key: string) => {
    const at = lines.findIndex((line) => line.key === key);
    return at < 0 ? undefined : at;
  },
});

const remark = ({ passages, more, all, documents }: PassagePage): string => {
  if (passages.length === 0) return fill(words.noMatch, counted(documents, words.documentCount));
  return [all ? '' : words.matchedAny, more > 0 ? fill(words.morePassages, number(more)) : ''].join(' ').trim();
};

/** What an answer depends on beside the words: while it is the same, nothing is searched anew. */
const heldIn = ({ sessions }: Snapshot): string =>
  sessions.map(({ id, documents, bytes }) => `${id} ${documents} ${bytes}`).join();

/** Passages in place of the pane's list, while something is searched for. */
export const searchResults = (pane: Pane, context: TabContext): { search: () => void } => {
  const list = new VirtualList<Line>({
    label: words.results,
    name: 'results',
    columns,
    keyOf,
    look: ({ title, hit }) => (title === undefined ? (hit ? 'hit' : 'around') : 'passage'),
    need: () => undefined,
    onSelect: (line) => showDocument(line),
    onOpen: ({ doc, line }) => openDocument(doc, line),
  });
  const said = html('p', { class: 'said muted', role: 'status' });
  const box = html('div', { class: 'found' }, list.element, said);
  box.hidden = true;
  pane.master.append(box);
  let running: AbortController | undefined;
  let looking: AbortController | undefined;
  let [last, held] = ['', ''];

  const showDocument = ({ doc, line }: Line): void => {
    looking?.abort();
    looking = new AbortController();
    const opening = button(fill(words.line, number(line)), 'primary', () => openDocument(doc, line));
    ask('detail', { id: doc }, looking.signal).then(
      (known) => pane.showDetail(...documentDetail(known, context.snapshot(), opening)),
      (error: Error) => pane.showDetail(html('p', { role: 'alert' }, error.message)),
    );
  };

  const show = (found: PassagePage): void => {
    const lines = found.passages.flatMap(linesOf);
    list.element.hidden = lines.length === 0;
    swap(said, ...([remark(found)] as Child[]));
    list.show(rowsOf(lines));
    pane.say(counted(found.passages.length, words.passageCount));
  };

  const refused = (error: Error): void => {
    list.element.hidden = true;
    swap(said, error.message);
  };

  const search = (): void => {
    const { query = '', session = '' } = filtersOf('documents');
    const wanted = query.trim();
    const next = wanted === '' ? '' : `${session} ${wanted}`;
    const seen = next === '' ? '' : heldIn(context.snapshot());
    if (next === last && seen === held) return;
    running?.abort();
    pane.element.classList.toggle('searching', next !== '');
    box.hidden = next === '';
    if (next !== last) list.reset();
    [last, held] = [next, seen];
    if (next === '') return pane.release();
    running = new AbortController();
    if (list.place.total === 0) swap(said, words.searching);
    return void ask('search', { query: wanted, session: session || undefined }, running.signal).then(show, refused);
  };
  return { search };
};
