import type { Tx } from '#base/tx.ts';
import type { Figure, Label, Report, ReportArgs } from './service.ts';
import { readTotals, readTurns, type TotalRow, type TurnsRow } from './totals.ts';
import { counter } from './vocabulary.ts';

/** Gain from which Loom is worth its place in a prompt. */
export const gainLine = 0.35;

type Sum = { tokens: number; part: number; excess: number; estimated: boolean };

/** The bill of what `args` names. */
export const report = (tx: Tx, args: ReportArgs): Report =>
  bill(readTotals(tx, args), readTurns(tx, args), listingInForce(tx, args));

/** The latest listing of the sessions and clients in scope. */
const listingInForce = (tx: Tx, args: ReportArgs): Figure | undefined => {
  const latest = (where: string, params: string[]): { tokens: number; estimated: number } | undefined =>
    tx.get(
      `select tokens, estimated from ledger_listing join ledger_entry on id = entry where ${where}
        order by entry desc limit 1`,
      params,
    );
  const accounts = 'select session, client from ledger_account where conversation = ?';
  const row =
    'session' in args
      ? latest('session = ?', [args.session])
      : 'conversation' in args
        ? latest(`(session, client) in (${accounts})`, [args.conversation])
        : latest('true', []);
  return row && { tokens: row.tokens, label: row.estimated ? 'estimated' : 'measured' };
};

const bill = (rows: readonly TotalRow[], turns: TurnsRow, listing: Figure | undefined): Report => {
  const call = sum(rows, 'call');
  const answer = sum(rows, 'answer');
  const moved = sum(rows, 'moved');
  const calls = rows.reduce((count, row) => count + (row.kind === 'call' ? row.entries : 0), 0);
  const listed = listing && turns.priced > 0 ? figure(turns.listed, 'estimated') : undefined;
  const gross = moved.tokens - answer.tokens - call.tokens;
  const net = gross - (listed?.tokens ?? 0);
  const estimated = listed !== undefined || [call, answer, moved].some((part) => part.estimated);
  return {
    counter,
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
    tools: byTool(rows),
  };
};

const figure = (tokens: number, label: Label): Figure => ({ tokens, label });

const measured = ({ estimated }: Sum): Label => (estimated ? 'estimated' : 'measured');

const sum = (rows: readonly TotalRow[], kind: TotalRow['kind']): Sum => {
  const total = { tokens: 0, part: 0, excess: 0, estimated: false };
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
    if (kind === 'listing') continue;
    const of = tools.get(tool) ?? { tool, calls: 0, call: 0, answer: 0, moved: 0 };
    of[kind] += tokens;
    if (kind === 'call') of.calls += calls;
    tools.set(tool, of);
  }
  const cost = (of: { call: number; answer: number }): number => of.call + of.answer;
  return [...tools.values()].sort((a, b) => cost(b) - cost(a) || (a.tool < b.tool ? -1 : 1));
};
