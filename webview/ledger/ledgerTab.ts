import type { Bills } from '#ledger/asks.ts';
import type { EntryKind, EntryRow, Report as Bill } from '#ledger/types.ts';
import type { Snapshot } from '#vscode/views/protocol.ts';
import { badge, button, dropdown } from '#webview/ui/components.ts';
import { html, swap, type Child } from '#webview/ui/dom.ts';
import { facts } from '#webview/ui/facts.ts';
import { duration, fully, moment, number, percent, withSign } from '#webview/ui/format.ts';
import { run } from '#webview/host.ts';
import { listPane } from '#webview/ui/listPane.ts';
import { repeating } from '#webview/ui/repeating.ts';
import { nameOf } from '#webview/sessionNames.ts';
import { defineTab, filtersOf, setFilter, type Part, type TabContext } from '#webview/tab.ts';
import type { Column } from '#webview/ui/virtualList.ts';
import { fill } from '#webview/words.ts';
import { billSection } from './billSection.ts';
import { ask, words } from './ledger.ts';

const { entries } = words;
const kinds = Object.entries(entries.kinds) as [EntryKind, string][];

/** Kept out counts for, what was paid against; a hit of the cache neither. */
const signed = ({ kind, tokens }: EntryRow): string =>
  kind === 'moved' ? withSign(tokens) : kind === 'cache_hit' ? number(0) : withSign(-tokens);

const columns: readonly Column<EntryRow>[] = [
  { key: 'when', title: entries.time, content: ({ at }) => moment(at) },
  { key: 'kind', title: entries.kind, content: ({ kind }) => entries.kinds[kind] },
  { key: 'tool', title: words.tool, content: ({ tool }) => tool },
  { key: 'tokens', title: words.tokenColumn, content: signed },
  { key: 'document', title: words.id, content: ({ document }) => document ?? '' },
  { key: 'client', title: words.client, content: ({ client }) => client },
];

const openDocument = (id: string): void => run('loom.openDocument', id);
const documentButton = (id: string | undefined): Child =>
  id === undefined || !/^d\d+$/.test(id) ? id : button(id, 'secondary', () => openDocument(id));

const detail = (row: EntryRow, snapshot: Snapshot): Child[] => [
  html('h2', {}, `${entries.kinds[row.kind]} ${signed(row)}`),
  html('p', { class: 'muted' }, entries.explained[row.kind]),
  facts(
    [words.tool, row.tool],
    [entries.documents, documentButton(row.document)],
    [entries.label, `${words[row.label]}, ${row.counter}`],
    [entries.part, row.part > 0 ? number(row.part) : undefined],
    [entries.excess, row.excess > 0 ? number(row.excess) : undefined],
    [entries.bytes, number(row.bytes)],
    [entries.latency, row.latency === undefined ? undefined : duration(row.latency)],
    [entries.time, fully(row.at)],
    [words.client, row.client],
    [words.sessionFilter, nameOf(snapshot, row.session)],
    [entries.conversation, row.conversation],
  ),
];

const total = (name: string, figure: string, note?: Child): HTMLElement =>
  html(
    'div',
    { class: 'total' },
    html('span', { class: 'muted' }, name),
    html('span', { class: 'sum' }, figure, ' ', note),
  );

/** The bill in one line: the four figures that matter. */
const totals = ({ net, moved, listed, call, answer, gain }: Bill, line: number): Child[] => {
  if (net === undefined) return [html('p', { class: 'muted' }, words.noCalls)];
  const paid = call.tokens + answer.tokens + (listed?.tokens ?? 0);
  const estimated = net.label === 'estimated' ? html('span', { class: 'muted small' }, words.estimated) : undefined;
  return [
    total(words.net, withSign(net.tokens), estimated),
    total(words.keptOut, number(moved.tokens)),
    total(words.paid, number(paid)),
    gain === undefined
      ? undefined
      : total(words.gain, percent(gain), badge(fill(gain >= line ? words.aboveLine : words.belowLine, percent(line)))),
  ];
};

const empty = (): Child[] => {
  const { kind = '', tool = '' } = filtersOf('ledger');
  if (kind + tool !== '') return [html('p', { class: 'muted' }, entries.none)];
  return [html('p', { class: 'strong' }, words.noCalls), html('p', { class: 'muted' }, words.noCallsHint)];
};

const chosen = () => ({ scope: 'session', kind: '', tool: '', ...filtersOf('ledger') });

/** The entries that pass the filters. */
const entryList = (context: TabContext, tools: readonly HTMLElement[]) =>
  listPane<EntryRow>({
    tab: 'ledger',
    label: words.ledger,
    columns,
    keyOf: ({ id }) => String(id),
    look: ({ kind: of }) => of,
    newestFirst: true,
    fetch: (stretch, signal) => {
      const of = chosen();
      const filter = { kind: (of.kind || undefined) as EntryKind | undefined, tool: of.tool || undefined };
      const within = of.scope === 'life' ? { life: true as const } : { session: context.snapshot().session };
      return ask('entries', { scope: within, ...filter, ...stretch }, signal);
    },
    tools,
    counted: entries.count,
    empty,
    noSelection: entries.noneSelected,
    detail: (row) => detail(row, context.snapshot()),
    open: ({ document }) => {
      if (document !== undefined && /^d\d+$/.test(document)) openDocument(document);
    },
  });

const create = (context: TabContext): Part => {
  let bills: Bills | undefined;
  const change = (name: string) => (value: string) => {
    setFilter('ledger', name, value);
    pane.reset();
    draw();
  };
  const scope = dropdown(entries.scope, change('scope'));
  const kind = dropdown(entries.kind, change('kind'));
  const tool = dropdown(words.tool, change('tool'));
  const exporting = button(entries.export, 'secondary', () => run('loom.exportLedger'));
  const sums = html('div', { class: 'totals' });
  const pane = entryList(context, [scope.element, kind.element, tool.element, exporting]);
  const draw = (): void => {
    const of = chosen();
    scope.set(
      [
        { value: 'session', title: words.session },
        { value: 'life', title: words.life },
      ],
      of.scope,
    );
    kind.set([{ value: '', title: entries.allKinds }, ...kinds.map(([value, title]) => ({ value, title }))], of.kind);
    const bill = bills?.[of.scope === 'life' ? 'life' : 'session'];
    if (bills === undefined || bill === undefined) return;
    swap(sums, ...totals(bill, bills.gainLine));
    const names = bill.tools
      .map((one) => ({ value: one.tool, title: one.tool }))
      .sort((a, b) => (a.value < b.value ? -1 : 1));
    tool.set([{ value: '', title: entries.allTools }, ...names], of.tool);
  };
  pane.element.prepend(sums);
  const refresh = repeating(
    () => ask('bills', { session: context.snapshot().session }),
    (answer) => {
      bills = answer;
      draw();
    },
    (message) => swap(sums, html('p', { role: 'alert' }, message)),
  );
  const update = (): void => {
    draw();
    pane.begin();
    refresh();
  };
  return { element: pane.element, update };
};

/** Every entry of the ledger, with the bill that they add up to. */
export const ledger = defineTab({
  id: 'ledger',
  title: words.ledger,
  place: 4,
  create,
  section: { place: 1, create: billSection },
});
