import type { ChunkInfo, DocumentDetail, DocumentInfo, Inspected } from '#drawer/contents.ts';
import type { Snapshot } from '#vscode/views/protocol.ts';
import { button } from '#webview/ui/components.ts';
import { html, swap, type Child } from '#webview/ui/dom.ts';
import { facts } from '#webview/ui/facts.ts';
import { loading } from '#webview/ui/frame.ts';
import { fully, mega, number, size } from '#webview/ui/format.ts';
import { keep, kept } from '#webview/host.ts';
import { RemoteRows } from '#webview/ui/remoteRows.ts';
import { nameOf } from '#webview/sessionNames.ts';
import { VirtualList, type Column } from '#webview/ui/virtualList.ts';
import { counted, fill } from '#webview/words.ts';
import { ask, openDocument, tokensOf, words } from './drawer.ts';

/** A path within the session's folder without that folder, as titles have it; the whole is the tooltip. */
const shortened = (path: string, root: string | undefined): string =>
  root && path.startsWith(root) ? path.slice(root.length).replace(/^[\\/]/, '') : path;

const sourceOf = ({ source, session }: DocumentInfo, { sessions }: Snapshot): Child => {
  const kind = words.sources[source.kind];
  if (source.kind === 'text') return kind;
  if (source.kind === 'archive') return `${source.tool} (${kind})`;
  const path = shortened(source.path, sessions.find(({ id }) => id === session)?.root);
  return html('span', { title: source.path }, `${path} (${kind})`);
};

const about = (row: DocumentInfo, snapshot: Snapshot): HTMLElement =>
  facts(
    [words.id, row.id],
    [words.kind, words.kinds[row.kind]],
    [words.source, sourceOf(row, snapshot)],
    [words.sessionFilter, nameOf(snapshot, row.session)],
    [words.stored, fully(row.storedAt)],
    [words.size, `${counted(row.bytes, words.bytes)}, ${counted(row.lines, words.lines)}`],
    [words.tokenColumn, tokensOf(row)],
    [words.anchorTokens, counted(row.anchorTokens, words.tokens)],
    [words.keepColumn, row.keep ? words.keepYes : words.keepNo],
    ['SHA-256', html('code', {}, row.sha256)],
  );

const sectionIds = ['anchor', 'redacted', 'invariants', 'chunks'] as const;
type SectionId = (typeof sectionIds)[number];

const isOpen = (id: SectionId): boolean => (kept().sections ?? ['anchor']).includes(id);
const setOpen = (id: SectionId, open: boolean): void =>
  keep({ sections: sectionIds.filter((one) => (one === id ? open : isOpen(one))) });

/** A part that is filled when it is first opened. What a person opened once is open in the next document too. */
const section = (id: SectionId, title: string, fillIn: (box: HTMLElement) => void): HTMLElement => {
  const box = html('div', { class: 'inside' });
  const made = html<HTMLDetailsElement>(
    'details',
    { class: `section ${id}` },
    html('summary', { 'data-key': `section ${id}` }, title),
    box,
  );
  let filled = false;
  const fillOnce = (): void => {
    if (filled || !made.open) return;
    filled = true;
    fillIn(box);
  };
  made.addEventListener('toggle', () => {
    setOpen(id, made.open);
    fillOnce();
  });
  made.open = isOpen(id);
  fillOnce();
  return made;
};

/** Puts what `work` brings into `box`; where it fails, why. */
const bring = <A>(box: HTMLElement, work: Promise<A>, show: (answer: A) => readonly Child[]): void => {
  swap(box, loading(words.waiting));
  work.then(
    (answer) => swap(box, ...show(answer)),
    (error: Error) => swap(box, html('p', { role: 'alert' }, error.message)),
  );
};

const anchor = ({ anchor: text }: DocumentDetail): Child[] =>
  text === ''
    ? [html('p', { class: 'muted' }, words.anchorNone)]
    : [html('pre', { tabindex: 0, 'aria-label': words.anchor }, text)];

const redacted = ({ redactions }: Inspected, id: string): Child[] =>
  redactions.length === 0
    ? [html('p', { class: 'muted' }, words.redactedNone)]
    : redactions.map(({ rule, line, length }) =>
        html(
          'div',
          { class: 'masked' },
          button(fill(words.line, number(line)), 'secondary', () => openDocument(id, line)),
          html('span', {}, fill(words.redaction, rule, number(length))),
        ),
      );

const invariants = ({ invariants: kinds, bytes }: Inspected, whole: number): Child[] => [
  kinds.length === 0 ? html('p', { class: 'muted' }, words.invariantsNone) : undefined,
  ...kinds.map(({ kind, total, values }) =>
    html(
      'div',
      { class: 'values' },
      html('h3', {}, `${kind} `, html('span', { class: 'muted' }, number(total))),
      html(
        'ul',
        { tabindex: 0, 'aria-label': kind },
        ...values.map(({ text, count }) =>
          html(
            'li',
            {},
            html('code', {}, text),
            count > 1 ? html('span', { class: 'muted' }, ` ×${number(count)}`) : undefined,
          ),
        ),
        total > values.length
          ? html('li', { class: 'muted' }, fill(words.invariantsMore, number(total - values.length)))
          : undefined,
      ),
    ),
  ),
  bytes < whole ? html('p', { class: 'muted' }, fill(words.invariantsPart, mega(bytes))) : undefined,
];

const chunkColumns: readonly Column<ChunkInfo>[] = [
  { key: 'id', title: words.chunkColumn, content: ({ id }) => id },
  { key: 'at', title: words.lineColumn, content: ({ line }) => number(line) },
  { key: 'size', title: words.size, content: ({ bytes }) => size(bytes) },
  { key: 'text', title: words.beginning, content: ({ text }) => text },
];

/** The document's chunks; one opens at its line. */
const chunks = (box: HTMLElement, doc: string): void => {
  const open = ({ line }: ChunkInfo): void => openDocument(doc, line);
  const list = new VirtualList<ChunkInfo>({
    label: words.chunks,
    name: 'chunks',
    columns: chunkColumns,
    keyOf: ({ id }) => id,
    need: (from, to) => remote.need(from, to),
    onSelect: () => undefined,
    onOpen: open,
  });
  const remote = new RemoteRows<ChunkInfo>({
    fetch: (stretch, signal) => ask('chunks', { id: doc, ...stretch }, signal),
    keyOf: ({ id }) => id,
    newestFirst: false,
    onRows: (rows) => list.show(rows),
    onError: (message) => swap(box, html('p', { role: 'alert' }, message)),
  });
  swap(box, list.element);
  remote.reset();
};

/** One document from the inside. `opening`: a button in place of the one that opens it at its beginning. */
export const documentDetail = (row: DocumentInfo, snapshot: Snapshot, opening?: HTMLElement): Child[] => {
  const { id } = row;
  let asked: Promise<Inspected> | undefined;
  const inspected = (): Promise<Inspected> => (asked ??= ask('inspect', { id }));
  const open = button(words.open, opening ? 'secondary' : 'primary', () => openDocument(id));
  return [
    html('h2', {}, row.title),
    html('p', { class: 'buttons' }, opening, open),
    about(row, snapshot),
    section('anchor', words.anchor, (box) => bring(box, ask('detail', { id }), anchor)),
    row.redacted > 0
      ? section('redacted', `${words.redacted} (${number(row.redacted)})`, (box) =>
          bring(box, inspected(), (found) => redacted(found, id)),
        )
      : undefined,
    section('invariants', words.invariants, (box) => bring(box, inspected(), (found) => invariants(found, row.bytes))),
    section('chunks', `${words.chunks} (${number(row.chunks)})`, (box) => chunks(box, id)),
  ];
};
