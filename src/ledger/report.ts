// The sums of a scope, with what makes them up.
import type { Tx } from '#base/tx.ts';
import { scopeOf } from './scopes.ts';
import type { EntryKind, Figure, Label, Report, ReportArgs } from './types.ts';
import { readTotals, readTurns, type TotalRow, type TurnsRow } from './totals.ts';

/** Gain from which Loom is worth its place in a prompt. */
export const gainLine = 0.35;

type Sum = { tokens: number; part: number; excess: number; estimated: boolean };
type Listing = { tokens: number; estimated: number; counter: string };

/** The bill of what `args` names. */
export const report = (tx: Tx, args: ReportArgs): Report => {
  const scope = scopeOf(tx, args);
  const listing = listingInForce(tx, args);
  return scope === undefined ? bill([], [], listing) : bill(readTotals(tx, scope), readTurns(tx, scope), listing);
};

/** The latest listing of the sessions and clients in scope. */
const listingInForce = (tx: Tx, args: ReportArgs): Listing | undefined => {
  const latest = (where: string, params: string[]): Listing | undefined =>
    tx.get(
      `select tokens, estimated, counter from ledger_listing join ledger_entry as of on of.id = entry
          join ledger_class as kept on kept.id = class
        where ${where} order by entry desc limit 1`,
      params,
    );
  const accounts = 'select session, client from ledger_account where conversation = ?';
  if ('session' in args) return latest('session = ?', [args.session]);
  if ('conversation' in args) return latest(`(session, client) in (${accounts})`, [args.conversation]);
  return latest('true', []);
};

const turnsOf = (rows: readonly TurnsRow[]): TurnsRow => {
  const sum = { turns: 0, untold: 0, priced: 0, listed: 0, unmeasured: 0 };
  for (const row of rows) for (const key of Object.keys(sum) as (keyof TurnsRow)[]) sum[key] += row[key];
  return sum;
};

const countersOf = (
  rows: readonly TotalRow[],
  turns: readonly { counter: string }[],
  listing: Listing | undefined,
): string[] => {
  const all = new Set([...rows, ...turns, ...(listing ? [listing] : [])].map(({ counter }) => counter));
  all.delete('');
  return [...all].sort();
};

const bill = (
  rows: readonly TotalRow[],
  turnRows: readonly (TurnsRow & { counter: string })[],
  inForce: Listing | undefined,
): Report => {
  const counters = countersOf(rows, turnRows, inForce);
  // Tokens of two counters are two units: their sum is of neither.
  const mixed = counters.length > 1;
  const turns = turnsOf(turnRows);
  const [call, answer, moved] = (['call', 'answer', 'moved'] as const).map((kind) => sum(rows, kind, mixed)) as [
    Sum,
    Sum,
    Sum,
  ];
  const listing = inForce && figure(inForce.tokens, inForce.estimated ? 'estimated' : 'measured');
  const calls = entriesOf(rows, 'call');
  const listed = listing && turns.priced > 0 ? figure(turns.listed, 'estimated') : undefined;
  const gross = moved.tokens - answer.tokens - call.tokens;
  const net = gross - (listed?.tokens ?? 0);
  const estimated = listed !== undefined || [call, answer, moved].some((part) => part.estimated);
  return {
    counters,
    calls,
    unmeasured: turns.unmeasured,
    moved: figure(moved.tokens, moved.estimated ? 'estimated' : 'computed'),
    excess: figure(moved.excess, moved.estimated ? 'estimated' : 'computed'),
    listing,
    turns: { count: turns.turns, counted: turns.turns > 0 && turns.untold === 0 },
    listed,
    call: figure(call.tokens, measured(call)),
    through: figure(call.part, measured(call)),
    answer: figure(answer.tokens, measured(answer)),
    returned: figure(answer.part, measured(answer)),
    net: calls > 0 ? figure(net, estimated ? 'estimated' : 'computed') : undefined,
    gain: calls > 0 && moved.tokens > 0 ? net / moved.tokens : undefined,
    breakEven: listing && listing.tokens > 0 && gross > 0 ? Math.floor(gross / listing.tokens) : undefined,
    cacheHits: { count: entriesOf(rows, 'cache_hit'), latency: latencyOf(rows, 'cache_hit') },
    tools: byTool(rows),
  };
};

const figure = (tokens: number, label: Label): Figure => ({ tokens, label });

const measured = ({ estimated }: Sum): Label => (estimated ? 'estimated' : 'measured');

const entriesOf = (rows: readonly TotalRow[], kind: EntryKind): number =>
  rows.reduce((count, row) => count + (row.kind === kind ? row.entries : 0), 0);

const latencyOf = (rows: readonly TotalRow[], kind: EntryKind): number =>
  rows.reduce((sum, row) => sum + (row.kind === kind ? row.latency : 0), 0);

const sum = (rows: readonly TotalRow[], kind: EntryKind, estimated: boolean): Sum => {
  const total = { tokens: 0, part: 0, excess: 0, estimated };
  for (const row of rows) {
    if (row.kind !== kind) continue;
    total.tokens += row.tokens;
    total.part += row.part;
    total.excess += row.excess;
    total.estimated ||= row.estimated === 1;
  }
  return total;
};

/** Dearest first. */
const byTool = (rows: readonly TotalRow[]): Report['tools'] => {
  const tools = new Map<string, Report['tools'][number]>();
  for (const { tool, kind, entries: calls, tokens } of rows) {
    if (kind === 'listing' || kind === 'cache_hit') continue;
    const of = tools.get(tool) ?? { tool, calls: 0, call: 0, answer: 0, moved: 0 };
    of[kind] += tokens;
    if (kind === 'call') of.calls += calls;
    tools.set(tool, of);
  }
  const cost = (of: { call: number; answer: number }): number => of.call + of.answer;
  return [...tools.values()].sort((a, b) => cost(b) - cost(a) || (a.tool < b.tool ? -1 : 1));
};
