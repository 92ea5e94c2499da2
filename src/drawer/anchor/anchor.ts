// What stands in for a document: its shape, the lines that matter and its invariants, within a budget of tokens.
import { grouped, partLimit } from '#base/text.ts';
import type { InvariantTable } from '#drawer/invariants/table.ts';
import type { Entry, Outline } from '#drawer/outline/outline.ts';
import { spreadOrder } from '#drawer/outline/spread.ts';
import type { Lines } from '#text/lines.ts';
import type { Count } from './budgets.ts';
import { byImportance, type ImportantLine } from './importantLines.ts';
import { listInvariants } from './invariantList.ts';
import { candidates, sameForm, shownLine } from './lineChoice.ts';
import { renderAnchor, wideId, type Described } from './render.ts';
import { giveBack, takeInto, takeShare } from './tokenSpace.ts';
import { visibleInvariants } from './visible.ts';

/** The outline and the lines get so much of the space at first, but no more than they need to say what the document is. */
const outlineShare = 0.35;
const linesShare = 0.4;
const mostOutlineTokens = (budget: number): number => Math.max(280, 0.1 * budget);
const mostLineTokens = (budget: number): number => Math.max(380, 0.12 * budget);

export type AnchorArgs = {
  about: Omit<Described, 'focus'>;
  lines: Lines;
  outline: Outline;
  important: readonly ImportantLine[];
  table: InvariantTable;
  budget: number;
  count: Count;
  counter: string;
};
export type Anchor = {
  body: string;
  focus: number;
  tokens: number;
  /** Share of the different invariants that stand in the body. */
  coverage: number;
};

/** The indexes of the values that a body shows. */
const shownValues = (body: string, table: InvariantTable): Set<number> =>
  new Set(
    visibleInvariants(body).flatMap(({ kind, text }) => {
      const bytes = Buffer.from(text);
      return table.find(kind, bytes, 0, bytes.length) ?? [];
    }),
  );

/** Entries by importance: the outer ones first, those of one depth spread over the document. */
const rankedEntries = (entries: readonly Entry[]): Entry[] => {
  const byRank = Map.groupBy(entries, ({ rank }) => rank);
  return Array.from(byRank.keys())
    .sort((a, b) => a - b)
    .flatMap((rank) => {
      const own = byRank.get(rank) ?? [];
      return spreadOrder(own.length, 2048).flatMap((at) => own[at] ?? []);
    });
};

/** What stands in for a document: its shape, the lines that matter and its invariants, in at most `budget` tokens. */
export function* buildAnchor(args: AnchorArgs): Generator<void, Anchor> {
  const { about, lines, outline, important, table, count, counter } = args;
  const focus = (byImportance(important)[0]?.index ?? 0) + 1;
  const render = (body: string): string => renderAnchor(wideId, { ...about, focus }, body, counter);
  const headings = `-- outline: ${outline.title} (9,999 more not shown)\n-- lines, verbatim (9,999,999 of 9,999,999 not shown)`;
  const frame = yield* count(render(headings));
  const space = {
    tokens: args.budget - frame.tokens,
    units: Math.max(partLimit, args.budget * 6) - render(headings).length,
  };

  const forOutline = takeShare(space, outlineShare, mostOutlineTokens(args.budget));
  const forLines = takeShare(space, linesShare / (1 - outlineShare), mostLineTokens(args.budget));
  const ranked = rankedEntries(outline.entries);
  const entries = yield* takeInto(ranked, entryText, count, forOutline);
  giveBack(forLines, forOutline);
  const chosen = about.kind === 'binary' ? new Map<number, undefined>() : candidates(lines, important, about.kind);
  const textOf = (index: number): string => {
    const why = chosen.get(index);
    return shownLine(lines, index) + (why ? sameForm(why) : '');
  };
  const shown = Array.from(yield* takeInto(chosen.keys(), textOf, count, forLines));
  giveBack(space, forLines);
  const upper = (): string => upperBody(outline, entries, lines, shown.toSorted((a, b) => a - b).map(textOf));
  const seen = shownValues(upper(), table);
  const list = yield* listInvariants(table, seen, space, count);
  if (list.shown > 0 || table.size > 0) {
    const { tokens } = yield* count(`${list.text}\n`);
    giveBack(space, { tokens: -tokens, units: -list.text.length });
  }
  for (const index of yield* takeInto(without(chosen.keys(), shown), textOf, count, space)) shown.push(index);
  for (const entry of yield* takeInto(without(ranked, Array.from(entries)), entryText, count, space))
    entries.add(entry);
  for (;;) {
    const body = [upper(), list.text].filter(Boolean).join('\n');
    const { tokens } = yield* count(render(body));
    if (tokens <= args.budget || shown.length === 0) {
      const coverage = table.size === 0 ? 1 : shownValues(body, table).size / table.size;
      return { body, focus, tokens, coverage };
    }
    // The sum of the parts is not exactly the count of the whole: the least important line makes up for it.
    shown.pop();
  }
}

const without = <T>(all: Iterable<T>, taken: readonly T[]): T[] => {
  const left = new Set(all);
  for (const each of taken) left.delete(each);
  return Array.from(left);
};

const upperBody = (outline: Outline, entries: ReadonlySet<Entry>, lines: Lines, shown: readonly string[]): string =>
  [
    ...outlineText(outline, entries),
    ...(shown.length > 0
      ? [`-- lines, verbatim (${grouped(lines.count - shown.length)} of ${grouped(lines.count)} not shown)`]
      : []),
    ...shown,
  ].join('\n');

/** Short entries share a line up to here, in UTF-16 units. */
const joinedUnits = 160;
const shortEntry = 60;

/** An entry behind the number of its line. */
const entryText = ({ line, text }: Entry): string => (line === undefined ? text : `${line} ${text}`);

const joinEntries = (entries: readonly Entry[]): string[] => {
  const rows: string[] = [];
  let open = false;
  for (const entry of entries) {
    const text = entryText(entry);
    const last = rows.at(-1) ?? '';
    const joins = entry.line !== undefined && text.length <= shortEntry && last.length + text.length < joinedUnits;
    if (open && joins) rows[rows.length - 1] = `${last} · ${text}`;
    else rows.push(text);
    open = entry.line !== undefined && text.length <= shortEntry;
  }
  return rows;
};

const outlineText = (outline: Outline, taken: ReadonlySet<Entry>): string[] => {
  if (outline.title === '') return [];
  const left = outline.entries.length - taken.size;
  return [
    `-- outline: ${outline.title}${left > 0 && taken.size > 0 ? ` (${grouped(left)} more not shown)` : ''}`,
    ...joinEntries(outline.entries.filter((entry) => taken.has(entry))),
  ];
};
