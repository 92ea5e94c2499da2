import type { ExecutionRow, StreamName } from '#vscode/views/protocol.ts';
import { button, dropdown } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { facts } from '#webview/ui/facts.ts';
import { duration, fully, moment, number, size } from '#webview/ui/format.ts';
import { ask, post } from '#webview/host.ts';
import { listPane } from '#webview/ui/listPane.ts';
import { nameOf, sessionChoices } from '#webview/sessionNames.ts';
import { filtersOf, setFilter, type Tab, type TabContext } from '#webview/tab.ts';
import type { Column } from '#webview/ui/virtualList.ts';
import { fill, words } from '#webview/words.ts';

const took = ({ submittedAt, completedAt }: ExecutionRow): string =>
  completedAt === undefined ? '' : duration(completedAt - submittedAt);

const cell = ({ execution }: ExecutionRow): string => `In [${execution}]`;

const columns = (context: TabContext): Column<ExecutionRow>[] => [
  { key: 'cell', title: words.kernel.cell, content: cell },
  { key: 'status', title: words.kernel.status, content: ({ status }) => words.statuses[status] },
  { key: 'session', title: words.sessionFilter, content: ({ session }) => nameOf(context.panel(), session) },
  { key: 'lines', title: words.kernel.linesColumn, content: ({ totalLines }) => number(totalLines) },
  { key: 'took', title: words.kernel.took, content: took },
  { key: 'when', title: words.kernel.submitted, content: ({ submittedAt }) => moment(submittedAt) },
];

const openStream = ({ session, execution }: ExecutionRow, stream: StreamName): void =>
  post({ kind: 'openStream', session, execution, stream });

const streams = Object.entries(words.kernel.streams) as [StreamName, string][];

const output = (row: ExecutionRow): Child =>
  row.goneAt === undefined
    ? html(
        'p',
        { class: 'buttons' },
        ...streams.map(([stream, title]) =>
          button(title, stream === 'combined' ? 'primary' : 'secondary', () => openStream(row, stream)),
        ),
      )
    : html('p', { class: 'muted' }, fill(words.kernel.gone, fully(row.goneAt)));

const detail = (row: ExecutionRow, context: TabContext): Child[] => [
  html('h2', {}, cell(row)),
  facts(
    [words.kernel.status, words.statuses[row.status]],
    [words.kernel.error, row.error && `${row.error.ename}: ${row.error.evalue}`],
    [words.kernel.cause, row.cause],
    [words.kernel.submitted, fully(row.submittedAt)],
    [words.kernel.took, took(row)],
    [words.kernel.linesColumn, number(row.totalLines)],
    [words.size, row.bytes > 0 ? size(row.bytes) : undefined],
    [words.kernel.late, row.late ? words.yes : undefined],
    [words.sessionFilter, nameOf(context.panel(), row.session)],
  ),
  html('h3', {}, words.kernel.output),
  output(row),
];

const empty = (): Child[] => [
  html('p', { class: 'strong' }, words.kernel.none),
  html('p', { class: 'muted' }, words.kernel.noneHint),
];

/** The cells that were run, and what they put out. */
export const kernelTab = (context: TabContext): Tab => {
  const sessions = dropdown(words.sessionFilter, (value) => {
    setFilter('kernel', 'session', value);
    pane.reset();
  });
  const pane = listPane<ExecutionRow>({
    tab: 'kernel',
    label: words.kernel.kernel,
    columns: columns(context),
    keyOf: ({ session, execution }) => `${session} ${execution}`,
    look: ({ status }) => status,
    newestFirst: true,
    fetch: (stretch, signal) =>
      ask('executions', { session: filtersOf('kernel')['session'] || undefined, ...stretch }, signal),
    tools: [sessions.element],
    counted: words.kernel.count,
    empty,
    noSelection: words.kernel.noneSelected,
    detail: (row) => detail(row, context),
    open: (row) => openStream(row, 'combined'),
  });
  return {
    element: pane.element,
    shown: () => pane.begin(),
    update: (panel) => sessions.set(sessionChoices(panel), filtersOf('kernel')['session'] ?? ''),
  };
};
