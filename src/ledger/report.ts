import type { Tx } from '#base/tx.ts';
import type { Figure, Label, Report, ReportArgs } from './service.ts';
import { counter } from './vocabulary.ts';

/** Gain from which Loom is worth its place in a prompt. */
export const gainLine = 0.35;

type Sum = { tokens: number; part: number; excess: number; estimated: boolean };
type SumRow = Omit<Sum, 'estimated'> & {
  kind: 'call' | 'answer' | 'moved';
  tool: string;
  rows: number;
  estimated: number;
};
type Turns = { count: number; untold: number; listed: number | null };

/** The bill of what `args` names, from the entries. */
export const report = (tx: Tx, args: ReportArgs): Report => {
  const { where, params } = scope(args);
  const rows = tx.all<SumRow>(
    `select kind, tool, count(*) as rows, sum(tokens) as tokens, sum(part) as part, sum(excess) as excess,
      max(estimated) as estimated
      from ledger_entry where kind <> 'listing' and conversation in (${where}) group by kind, tool`,
    params,
  );
  const turns = tx.get<Turns>(
    `select count(*) as count, sum(turn = '') as untold, sum(listing) as listed
      from ledger_turn where conversation in (${where})`,
    params,
  )!;
  const { unmeasured } = tx.get<{ unmeasured: number }>(
    `select coalesce(sum(unmeasured), 0) as unmeasured from ledger_conversation where id in (${where})`,
    params,
  )!;
  return { ...bill(rows, turns, latestListing(tx, where, params)), unmeasured };
};

const scope = (args: ReportArgs): { where: string; params: string[] } => {
  const all = 'select id from ledger_conversation';
  if ('session' in args) return { where: `${all} where session = ?`, params: [args.session] };
  if ('conversation' in args) return { where: `${all} where conversation = ?`, params: [args.conversation] };
  return { where: all, params: [] };
};

/** The listing in force: the latest of the sessions that the scope touches. */
const latestListing = (tx: Tx, where: string, params: string[]): Figure | undefined => {
  const row = tx.get<{ tokens: number; estimated: number }>(
    `select tokens, estimated from ledger_entry where kind = 'listing' and conversation in
      (select id from ledger_conversation where session in
        (select session from ledger_conversation where id in (${where})))
      order by id desc limit 1`,
    params,
  );
  return row && { tokens: row.tokens, label: row.estimated ? 'estimated' : 'measured' };
};

const bill = (rows: readonly SumRow[], turns: Turns, listing: Figure | undefined): Omit<Report, 'unmeasured'> => {
  const call = sum(rows, 'call');
  const answer = sum(rows, 'answer');
  const moved = sum(rows, 'moved');
  const calls = rows.reduce((count, row) => count + (row.kind === 'call' ? row.rows : 0), 0);
  const listed = listing && turns.listed !== null ? figure(turns.listed, 'estimated') : undefined;
  const gross = moved.tokens - answer.tokens - call.tokens;
  const net = gross - (listed?.tokens ?? 0);
  const estimated = listed !== undefined || [call, answer, moved].some((part) => part.estimated);
  return {
    counter,
    calls,
    moved: figure(moved.tokens, moved.estimated ? 'estimated' : 'computed'),
    excess: figure(moved.excess, moved.estimated ? 'estimated' : 'computed'),
    listing,
    turns: { count: turns.count, counted: turns.count > 0 && turns.untold === 0 },
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

const sum = (rows: readonly SumRow[], kind: SumRow['kind']): Sum => {
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
const byTool = (rows: readonly SumRow[]): Report['tools'] => {
  const tools = new Map<string, Report['tools'][number]>();
  for (const { tool, kind, rows: calls, tokens } of rows) {
    const of = tools.get(tool) ?? { tool, calls: 0, call: 0, answer: 0, moved: 0 };
    of[kind] += tokens;
    if (kind === 'call') of.calls += calls;
    tools.set(tool, of);
  }
  const cost = (of: { call: number; answer: number }): number => of.call + of.answer;
  return [...tools.values()].sort((a, b) => cost(b) - cost(a) || (a.tool < b.tool ? -1 : 1));
};
