import './kernel.css';
import type { KernelAsks } from '#kernel/asks.ts';
import type { ExecutionRow, StreamName } from '#kernel/types.ts';
import type { KernelWords } from '#vscode/kernel/words.ts';
import { button, dropdown } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { facts } from '#webview/ui/facts.ts';
import { duration, fully, moment, number, size } from '#webview/ui/format.ts';
import { asksOf, run } from '#webview/host.ts';
import { listPane } from '#webview/ui/listPane.ts';
import { nameOf, sessionChoices } from '#webview/sessionNames.ts';
import { defineTab, filtersOf, setFilter, type Part, type TabContext } from '#webview/tab.ts';
import type { Column } from '#webview/ui/virtualList.ts';
import { fill, wordsOf } from '#webview/words.ts';

const words = wordsOf<KernelWords>('kernel');
const ask = asksOf<KernelAsks>('kernel');

const took = ({ submittedAt, completedAt }: ExecutionRow): string =>
  completedAt === undefined ? '' : duration(completedAt - submittedAt);

const cell = ({ execution }: ExecutionRow): string => `In [${execution}]`;

const columns = (context: TabContext): Column<ExecutionRow>[] => [
  { key: 'cell', title: words.cell, content: cell },
  { key: 'status', title: words.status, content: ({ status }) => words.statuses[status] },
  { key: 'session', title: words.sessionFilter, content: ({ session }) => nameOf(context.snapshot(), session) },
  { key: 'lines', title: words.linesColumn, content: ({ totalLines }) => number(totalLines) },
  { key: 'took', title: words.took, content: took },
  { key: 'when', title: words.submitted, content: ({ submittedAt }) => moment(submittedAt) },
];

const openStream = ({ session, execution }: ExecutionRow, stream: StreamName): void =>
  run('loom.kernel.openStream', session, execution, stream);

const streams = Object.entries(words.streams) as [StreamName, string][];

const output = (row: ExecutionRow): Child =>
  row.goneAt === undefined
    ? html(
        'p',
        { class: 'buttons' },
        ...streams.map(([stream, title]) =>
          button(title, stream === 'combined' ? 'primary' : 'secondary', () => openStream(row, stream)),
        ),
      )
    : html('p', { class: 'muted' }, fill(words.gone, fully(row.goneAt)));

const detail = (row: ExecutionRow, context: TabContext): Child[] => [
  html('h2', {}, cell(row)),
  facts(
    [words.status, words.statuses[row.status]],
    [words.error, row.error && `${row.error.ename}: ${row.error.evalue}`],
    [words.cause, row.cause],
    [words.submitted, fully(row.submittedAt)],
    [words.took, took(row)],
    [words.linesColumn, number(row.totalLines)],
    [words.size, row.bytes > 0 ? size(row.bytes) : undefined],
    [words.late, row.late ? words.yes : undefined],
    [words.sessionFilter, nameOf(context.snapshot(), row.session)],
  ),
  html('h3', {}, words.output),
  output(row),
];

const empty = (): Child[] => [
  html('p', { class: 'strong' }, words.none),
  html('p', { class: 'muted' }, words.noneHint),
];

const create = (context: TabContext): Part => {
  const sessions = dropdown(words.sessionFilter, (value) => {
    setFilter('kernel', 'session', value);
    pane.reset();
  });
  const pane = listPane<ExecutionRow>({
    tab: 'kernel',
    label: words.kernel,
    columns: columns(context),
    keyOf: ({ session, execution }) => `${session} ${execution}`,
    look: ({ status }) => status,
    newestFirst: true,
    fetch: (stretch, signal) =>
      ask('executions', { session: filtersOf('kernel')['session'] || undefined, ...stretch }, signal),
    tools: [sessions.element],
    counted: words.count,
    empty,
    noSelection: words.noneSelected,
    detail: (row) => detail(row, context),
    open: (row) => openStream(row, 'combined'),
  });
  return {
    element: pane.element,
    update: () => {
      sessions.set(sessionChoices(context.snapshot()), filtersOf('kernel')['session'] ?? '');
      pane.begin();
    },
  };
};

/** The cells that were run, and what they put out. */
export const kernel = defineTab({ id: 'kernel', title: words.kernel, place: 3, create });
