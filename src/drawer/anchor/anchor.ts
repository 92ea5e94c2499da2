import { counted, grouped, partLimit } from '#base/text.ts';
import { chunkId, documentId } from '#drawer/ids.ts';
import type { InvariantTable } from '#drawer/invariants/table.ts';
import { listInvariants } from './invariantList.ts';
import type { Lines } from '#text/lines.ts';
import type { Entry, Outline } from '#drawer/outline/outline.ts';
import { spreadOrder } from '#drawer/outline/spread.ts';
import { byImportance, type Salient } from './importantLines.ts';
import { budgets } from './budgets.ts';
import type { Kind } from '#drawer/types.ts';
import { visibleInvariants } from './visible.ts';

/** Tokens of a text, in slices. */
export type Count = (text: string) => Generator<void, { tokens: number; estimated: boolean }>;

/** What an anchor's first and last lines say of a document. */
export type Described = {
  title: string;
  kind: Kind;
  bytes: number;
  lines: number;
  chunks: number;
  tokens: number;
  tokensEstimated: boolean;
  sha256: string;
  /** Tokens that the anchor was made for; those of a profile go by its name. */
  budget: number;
  /** A line worth looking at first, from 1. */
  focus: number;
};

/** An id as wide as any that will be given out for long: the anchor is fitted before its id is known. */
export const wideId = 999_999;

const profileWords = (budget: number): string => {
  const named = Object.entries(budgets).find(([, tokens]) => tokens === budget);
  return named ? `profile ${named[0]}` : `budget ${grouped(budget)}`;
};

const header = (id: number, about: Described, counter: string): string =>
  [
    `${documentId(id)} ${about.title}`,
    [
      about.kind,
      counted(about.bytes, 'byte'),
      counted(about.lines, 'line'),
      `chunks ${chunkId(id, 1)} to ${chunkId(id, about.chunks)}`,
      `${about.tokensEstimated ? 'about ' : ''}${counted(about.tokens, 'token')} (${counter})`,
      `sha256 ${about.sha256.slice(0, 12)}`,
      profileWords(about.budget),
      'complete: no, this is its anchor',
    ].join(' · '),
  ].join('\n');

/** Lines that the example of a next call asks for. */
const exampleLines = 60;

const footer = (id: number, { focus, lines, kind, bytes }: Described): string => {
  const first = Math.max(1, Math.min(focus - 10, lines - exampleLines + 1));
  const range =
    kind === 'binary' || lines < 2
      ? `"bytes":"0-${Math.min(bytes, 4096) - 1}"`
      : `"lines":"${first}-${Math.min(lines, first + exampleLines - 1)}"`;
  return `next: ctx_search {"doc":"${documentId(id)}","query":"…"} or ctx_get {"id":"${documentId(id)}",${range}}`;
};

export const renderAnchor = (id: number, about: Described, body: string, counter: string): string =>
  [header(id, about, counter), body, footer(id, about)].filter(Boolean).join('\n');

/** A line is shown up to here, in UTF-16 units. */
const mostUnits = 220;

const shownLine = (lines: Lines, index: number): string => {
  const whole = lines.length(index);
  const text = lines.text(index, mostUnits * 3);
  const cut = text.length <= mostUnits ? text : text.slice(0, mostUnits).replace(/[\uD800-\uDBFF]$/, '');
  const left = whole - Buffer.byteLength(cut);
  const visible = cut.replaceAll('\0', '␀').replaceAll('\r', '␍');
  return `${index + 1}: ${visible}${left > 0 && cut.length >= mostUnits ? ` … (${counted(left, 'more byte')})` : ''}`;
};

const sameForm = ({ count, last }: Salient): string =>
  count > 1 ? `\n   (${counted(count, 'line')} of this form, the last is ${last + 1})` : '';

const ends = 5;
const filler = 8;

/** Lines by importance: what each is to be shown for, and what follows it. */
const candidates = (lines: Lines, salient: readonly Salient[], kind: Kind): Map<number, Salient | undefined> => {
  const chosen = new Map<number, Salient | undefined>();
  const add = (index: number, why?: Salient): void => {
    if (index < 0 || index >= lines.count || (chosen.has(index) && !why)) return;
    if (why || lines.text(index, 80).trim() !== '') chosen.set(index, why);
  };
  add(0);
  add(lines.count - 1);
  const important = byImportance(salient);
  for (const each of important) {
    add(each.index, each);
    if (each.reason === 'failure') add(each.index + 1, chosen.get(each.index + 1));
  }
  for (const each of important) {
    if (each.reason !== 'failure') continue;
    add(each.index - 1, chosen.get(each.index - 1));
    add(each.index + 2, chosen.get(each.index + 2));
  }
  for (let i = 1; i < ends; i++) {
    add(i, chosen.get(i));
    add(lines.count - 1 - i, chosen.get(lines.count - 1 - i));
  }
  if (kind === 'plain' || kind === 'csv' || kind === 'ndjson') {
    for (const index of spreadOrder(lines.count, filler)) add(index, chosen.get(index));
  }
  return chosen;
};

/** Takes from `items`, most important first, what fits into `tokens` and `units`. */
function* fitting<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  count: Count,
  room: { tokens: number; units: number },
): Generator<void, Set<T>> {
  const taken = new Set<T>();
  for (const item of items) {
    const text = `${textOf(item)}\n`;
    const { tokens } = yield* count(text);
    yield;
    if (tokens > room.tokens || text.length > room.units) {
      // A long line must not keep the short ones behind it out; but the end is near.
      if (room.tokens < 12) break;
      continue;
    }
    room.tokens -= tokens;
    room.units -= text.length;
    taken.add(item);
  }
  return taken;
}

/** The outline and the lines get so much of the room at first, but no more than they need to say what the document is. */
const outlineShare = 0.35;
const linesShare = 0.4;
const mostOutline = (budget: number): number => Math.max(280, 0.1 * budget);
const mostLines = (budget: number): number => Math.max(380, 0.12 * budget);

export type AnchorArgs = {
  about: Omit<Described, 'focus'>;
  lines: Lines;
  outline: Outline;
  salient: readonly Salient[];
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

type Room = { tokens: number; units: number };

/** A share of `room`, taken out of it; what is left of it goes back by `giveBack`. */
const takeShare = (room: Room, share: number, most: number): Room => {
  const tokens = Math.max(0, Math.floor(Math.min(most, room.tokens * share)));
  const units = Math.max(0, Math.floor(room.units * share));
  room.tokens -= tokens;
  room.units -= units;
  return { tokens, units };
};
const giveBack = (room: Room, rest: Room): void => {
  room.tokens += rest.tokens;
  room.units += rest.units;
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
  const { about, lines, outline, salient, table, count, counter } = args;
  const focus = (byImportance(salient)[0]?.index ?? 0) + 1;
  const render = (body: string): string => renderAnchor(wideId, { ...about, focus }, body, counter);
  const headings = `-- outline: ${outline.title} (9,999 more not shown)\n-- lines, verbatim (9,999,999 of 9,999,999 not shown)`;
  const frame = yield* count(render(headings));
  const room = {
    tokens: args.budget - frame.tokens,
    units: Math.max(partLimit, args.budget * 6) - render(headings).length,
  };

  const forOutline = takeShare(room, outlineShare, mostOutline(args.budget));
  const forLines = takeShare(room, linesShare / (1 - outlineShare), mostLines(args.budget));
  const ranked = rankedEntries(outline.entries);
  const entries = yield* fitting(ranked, entryText, count, forOutline);
  giveBack(forLines, forOutline);
  const chosen = about.kind === 'binary' ? new Map<number, undefined>() : candidates(lines, salient, about.kind);
  const textOf = (index: number): string => {
    const why = chosen.get(index);
    return shownLine(lines, index) + (why ? sameForm(why) : '');
  };
  const shown = Array.from(yield* fitting(chosen.keys(), textOf, count, forLines));
  giveBack(room, forLines);
  const upper = (): string => upperBody(outline, entries, lines, shown.toSorted((a, b) => a - b).map(textOf));
  const seen = shownValues(upper(), table);
  const listing = yield* listInvariants(table, seen, room, count);
  if (listing.shown > 0 || table.size > 0) {
    const { tokens } = yield* count(`${listing.text}\n`);
    giveBack(room, { tokens: -tokens, units: -listing.text.length });
  }
  for (const index of yield* fitting(without(chosen.keys(), shown), textOf, count, room)) shown.push(index);
  for (const entry of yield* fitting(without(ranked, Array.from(entries)), entryText, count, room)) entries.add(entry);
  for (;;) {
    const body = [upper(), listing.text].filter(Boolean).join('\n');
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
    const fits = entry.line !== undefined && text.length <= shortEntry && last.length + text.length < joinedUnits;
    if (open && fits) rows[rows.length - 1] = `${last} · ${text}`;
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
