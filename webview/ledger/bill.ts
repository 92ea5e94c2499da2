import type { Report as Bill } from '#ledger/types.ts';
import { bar, type Part } from '#webview/ui/chart.ts';
import { badge, dataGrid } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { number, percent, withSign } from '#webview/ui/format.ts';
import { counted, fill } from '#webview/words.ts';
import { words } from './ledger.ts';

/** A bill for a person: the outcome first, then what it is made of, when it came about, and where it went. */
export const billView = (bill: Bill, gainLine: number, overTime: readonly Child[]): Child[] =>
  bill.net === undefined
    ? nothingToReport(bill)
    : [
        outcome(bill.net),
        terms(bill),
        gain(bill, gainLine),
        breakEven(bill),
        html('section', {}, ...overTime),
        tools(bill),
        ...remarks(bill),
      ];

const nothingToReport = ({ listing, unmeasured }: Bill): Child[] => [
  html('p', { class: 'strong' }, words.noCalls),
  listing && html('p', {}, counted(listing.tokens, words.noCallsPrice)),
  html('p', { class: 'muted' }, words.noCallsHint),
  unmeasured > 0 ? html('p', { class: 'muted' }, counted(unmeasured, words.unmeasured)) : undefined,
];

const outcome = ({ tokens, label }: NonNullable<Bill['net']>): HTMLElement => {
  const meaning = tokens > 0 ? words.netSaved : tokens < 0 ? words.netLost : words.netEven;
  const said = label === 'estimated' ? `${meaning} ${words.netEstimated}` : meaning;
  return html(
    'p',
    { class: 'outcome' },
    html('span', { class: tokens < 0 ? 'figure lost' : 'figure' }, withSign(tokens)),
    ' ',
    html('span', { class: 'muted' }, said),
  );
};

const terms = (bill: Bill): HTMLElement => {
  const { moved, listed, call, answer } = bill;
  const paid = call.tokens + answer.tokens + (listed?.tokens ?? 0);
  const full = Math.max(moved.tokens, paid, 1);
  const part = (tokens: number, look: string): Part => ({ share: tokens / full, look });
  return html(
    'div',
    { class: 'terms' },
    heading(words.keptOut, number(moved.tokens), moved.label === 'estimated'),
    bar([part(moved.tokens, 'kept')], fill(words.keptBar, counted(moved.tokens, words.tokens))),
    heading(words.paid, number(paid)),
    bar(
      [
        part(listed?.tokens ?? 0, 'paid listed'),
        part(call.tokens, 'paid called'),
        part(answer.tokens, 'paid answered'),
      ],
      fill(words.paidBar, ...[listed?.tokens ?? 0, call.tokens, answer.tokens].map(number)),
    ),
    listingTerm(bill),
    term('called', words.calls, number(call.tokens), [
      bill.through.tokens > 0 ? fill(words.throughNote, number(bill.through.tokens)) : undefined,
      call.label === 'estimated' ? words.estimated : undefined,
    ]),
    term('answered', words.answers, number(answer.tokens), [
      bill.returned.tokens > 0 ? fill(words.returnedNote, number(bill.returned.tokens)) : undefined,
      answer.label === 'estimated' ? words.estimated : undefined,
    ]),
  );
};

const heading = (name: string, figure: Child, estimated = false): HTMLElement =>
  html(
    'div',
    { class: 'row strong' },
    html('span', {}, name, estimated ? html('span', { class: 'muted' }, ` ${words.estimated}`) : undefined),
    html('span', { class: 'figures' }, figure),
  );

const note = (text: string): HTMLElement => html('div', { class: 'muted small' }, text);

/** One part of what was paid; the key is the colour of its stretch of the bar. */
const term = (key: string, name: string, figure: string, notes: readonly (string | undefined)[]): HTMLElement => {
  const said = notes.filter((note) => note !== undefined).join(', ');
  return html(
    'div',
    { class: 'term' },
    html('span', { class: `key paid ${key}`, 'aria-hidden': 'true' }),
    html(
      'div',
      {},
      html('div', { class: 'row' }, html('span', {}, name), html('span', { class: 'figures' }, figure)),
      said === '' ? undefined : note(said),
    ),
  );
};

const listingTerm = ({ listing, listed, turns }: Bill): HTMLElement =>
  listing && listed
    ? term('listed', words.listing, number(listed.tokens), [
        fill(
          turns.counted ? words.listingNote : words.listingAssumed,
          number(listing.tokens),
          counted(turns.count, words.turns),
        ),
        words.estimated,
      ])
    : term('listed', words.listing, words.notMeasured, [words.listingUnknown]);

const gain = ({ gain: share }: Bill, line: number): HTMLElement => {
  if (share === undefined)
    return html('div', { class: 'terms' }, heading(words.gain, html('span', { class: 'muted' }, words.gainNone)));
  const verdict = badge(fill(share >= line ? words.aboveLine : words.belowLine, percent(line)));
  return html(
    'div',
    { class: 'terms' },
    heading(words.gain, html('span', {}, percent(share), ' ', verdict)),
    bar([{ share: Math.max(share, 0), look: 'gain' }], fill(words.gainMeter, percent(share), percent(line)), line),
    note(fill(words.gainNote, percent(line))),
  );
};

const breakEven = ({ listing, breakEven: turns }: Bill): HTMLElement | undefined =>
  listing &&
  html(
    'div',
    { class: 'terms' },
    heading(words.breakEven, turns === undefined ? words.breakEvenNone : counted(turns, words.turns)),
    note(turns === undefined ? words.breakEvenNoneNote : words.breakEvenNote),
  );

const remarks = ({ excess, unmeasured, counters, calls }: Bill): Child[] => [
  excess.tokens > 0 ? html('p', { class: 'muted small' }, fill(words.excess, number(excess.tokens))) : undefined,
  unmeasured > 0 ? html('p', { class: 'muted small' }, counted(unmeasured, words.unmeasured)) : undefined,
  html('p', { class: 'muted small' }, fill(words.counter, counted(calls, words.callCount), counters.join(' + '))),
];

const tools = ({ tools: all }: Bill): HTMLElement => {
  const rows = all.map(({ tool, call, answer, moved }) => ({
    // A name may break behind an underscore where the view is narrow.
    tool: tool.replaceAll('_', '_\u200b'),
    paid: number(call + answer),
    kept: number(moved),
  }));
  const widest = (key: 'paid' | 'kept'): string => `${Math.max(5, ...rows.map((row) => row[key].length)) + 1}ch`;
  return html(
    'section',
    {},
    html('h3', {}, words.tools),
    dataGrid(
      words.tools,
      [
        { key: 'tool', title: words.tool },
        { key: 'paid', title: words.paid },
        { key: 'kept', title: words.kept },
      ],
      `minmax(0, 1fr) ${widest('paid')} ${widest('kept')}`,
      rows,
    ),
  );
};
