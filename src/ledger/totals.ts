import type { Tx } from '#base/tx.ts';
import type { ReportArgs } from './service.ts';

/** Whose entry it is. */
export type Account = { session: string; conversation: string; client: string };

export type TotalRow = {
  kind: 'listing' | 'call' | 'answer' | 'moved';
  tool: string;
  entries: number;
  tokens: number;
  part: number;
  excess: number;
  estimated: number;
};

/** A scope's turns: all, those of clients that do not tell turns, those with a known listing, and what these cost. */
export type TurnsRow = { turns: number; untold: number; priced: number; listed: number; unmeasured: number };

const scopeOf = (args: ReportArgs): string => {
  if ('session' in args) return `session ${args.session}`;
  if ('conversation' in args) return `conversation ${args.conversation}`;
  return 'life';
};

const scopesOf = ({ session, conversation }: Account): string[] =>
  [{ session }, { conversation }, { life: true } as const].map(scopeOf);

/** Adds `row` to the totals of each scope of `account`. */
export const addToTotals = (tx: Tx, account: Account, row: TotalRow): void => {
  for (const scope of scopesOf(account))
    tx.run(
      `insert into ledger_total values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set
        entries = entries + excluded.entries, tokens = tokens + excluded.tokens, part = part + excluded.part,
        excess = excess + excluded.excess, estimated = max(estimated, excluded.estimated)`,
      [scope, row.kind, row.tool, row.entries, row.tokens, row.part, row.excess, row.estimated],
    );
};

/** Adds `more` to the turns of each scope of `account`. */
export const addToTurns = (tx: Tx, account: Account, more: Partial<TurnsRow>): void => {
  const { turns = 0, untold = 0, priced = 0, listed = 0, unmeasured = 0 } = more;
  for (const scope of scopesOf(account))
    tx.run(
      `insert into ledger_turns values (?, ?, ?, ?, ?, ?) on conflict do update set
        turns = turns + excluded.turns, untold = untold + excluded.untold, priced = priced + excluded.priced,
        listed = listed + excluded.listed, unmeasured = unmeasured + excluded.unmeasured`,
      [scope, turns, untold, priced, listed, unmeasured],
    );
};

export const readTotals = (tx: Tx, args: ReportArgs): TotalRow[] =>
  tx.all<TotalRow>('select * from ledger_total where scope = ?', [scopeOf(args)]);

export const readTurns = (tx: Tx, args: ReportArgs): TurnsRow =>
  tx.get<TurnsRow>('select * from ledger_turns where scope = ?', [scopeOf(args)]) ?? {
    turns: 0,
    untold: 0,
    priced: 0,
    listed: 0,
    unmeasured: 0,
  };
