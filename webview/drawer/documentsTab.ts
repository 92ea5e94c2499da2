import type { DocumentInfo, Kind } from '#drawer/contents.ts';
import { button, dropdown, textField } from '#webview/ui/components.ts';
import { documentDetail } from './documentDetail.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { moment, number, size } from '#webview/ui/format.ts';
import { run } from '#webview/host.ts';
import { listPane } from '#webview/ui/listPane.ts';
import { searchResults } from './searchResults.ts';
import { sessionChoices } from '#webview/sessionNames.ts';
import { defineTab, filtersOf, setFilter, type Part, type TabContext } from '#webview/tab.ts';
import type { Column } from '#webview/ui/virtualList.ts';
import { ask, openDocument, words } from './drawer.ts';
import { latestDocuments } from './latestDocuments.ts';

const kinds = Object.entries(words.kinds);

const columns: readonly Column<DocumentInfo>[] = [
  { key: 'title', title: words.title, content: ({ title }) => title },
  { key: 'kind', title: words.kind, content: ({ kind }) => words.kinds[kind] },
  { key: 'tokens', title: words.tokenColumn, content: ({ tokens }) => number(tokens) },
  { key: 'size', title: words.size, content: ({ bytes }) => size(bytes) },
  { key: 'when', title: words.stored, content: ({ storedAt }) => moment(storedAt) },
  { key: 'id', title: words.id, content: ({ id }) => id },
];

const filtered = (): boolean => Object.entries(filtersOf('documents')).some(([, value]) => value !== '');

const empty = (): Child[] =>
  filtered()
    ? [html('p', { class: 'muted' }, words.noDocuments)]
    : [
        html('p', { class: 'strong' }, words.empty),
        html('p', { class: 'muted' }, words.emptyHint),
        html(
          'p',
          {},
          button(words.storeFile, 'primary', () => run('loom.storeFile')),
        ),
      ];

const create = (context: TabContext): Part => {
  const change = (name: string) => (value: string) => {
    setFilter('documents', name, value);
    if (name !== 'query') pane.reset();
    results.search();
  };
  const { query = '', title = '' } = filtersOf('documents');
  const queryField = textField(words.searchContent, query, change('query'));
  const titleField = textField(words.filterTitle, title, change('title'));
  const sessions = dropdown(words.sessionFilter, change('session'));
  const kindChoice = dropdown(words.kindFilter, change('kind'));
  const allKinds = [{ value: '', title: words.allKinds }, ...kinds.map(([value, title]) => ({ value, title }))];
  const pane = listPane<DocumentInfo>({
    tab: 'documents',
    label: words.documents,
    columns,
    keyOf: ({ id }) => id,
    newestFirst: true,
    fetch: (stretch, signal) => {
      const { session, kind, title: part } = filtersOf('documents');
      const filter = { session: session || undefined, kind: (kind || undefined) as Kind | undefined, title: part };
      return ask('documents', { ...filter, ...stretch }, signal);
    },
    tools: [queryField.element, titleField.element, sessions.element, kindChoice.element],
    counted: words.documentCount,
    empty,
    noSelection: words.noSelection,
    detail: (row) => documentDetail(row, context.snapshot()),
    open: ({ id }) => openDocument(id),
  });
  const results = searchResults(pane, context);
  const followFilters = (): void => {
    const { session = '', kind = '', title: part = '', query: sought = '' } = filtersOf('documents');
    sessions.set(sessionChoices(context.snapshot()), session);
    kindChoice.set(allKinds, kind);
    titleField.set(part);
    queryField.set(sought);
  };
  let seen = JSON.stringify({ ...filtersOf('documents'), query: '' });
  return {
    element: pane.element,
    update: () => {
      followFilters();
      const now = JSON.stringify({ ...filtersOf('documents'), query: '' });
      // Another tab may have set them.
      if (now === seen) pane.begin();
      else pane.reset();
      seen = now;
      results.search();
    },
  };
};

/** All documents, those that pass, or the passages that a search finds in them. */
export const documents = defineTab({
  id: 'documents',
  title: words.documents,
  place: 1,
  create,
  section: { place: 2, create: latestDocuments },
});
