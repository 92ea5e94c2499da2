// Sums that are kept beside the entries.
import type { Tx } from '#base/tx.ts';
import type { EntryKind } from './types.ts';

/** The sums of a scope's entries of one kind, tool and counter. */
export type TotalRow = {
  kind: EntryKind;
  tool: string;
  counter: string;
  entries: number;
  tokens: number;
  part: number;
  excess: number;
  estimated: number;
  /** Milliseconds together. */
  latency: number;
};

/** A scope's turns: all, those of clients that do not tell turns, those with a known listing, and what these cost. */
export type TurnsRow = { turns: number; untold: number; priced: number; listed: number; unmeasured: number };

/** Tokens of one stretch of time. */
export type Moment = { moved: number; listed: number; call: number; answer: number };

export const addToTotals = (
  tx: Tx,
  scope: number,
  entry: { class: number; tokens: number; part: number; excess: number; estimated: number; latency: number },
): void => {
  tx.run(
    `insert into ledger_total values (?, ?, 1, ?, ?, ?, ?, ?) on conflict do update set
      entries = entries + 1, tokens = tokens + excluded.tokens, part = part + excluded.part,
      excess = excess + excluded.excess, estimated = max(estimated, excluded.estimated),
      latency = latency + excluded.latency`,
    [scope, entry.class, entry.tokens, entry.part, entry.excess, entry.estimated, entry.latency],
  );
};

/** Adds to the turns of `scopes`; `counter` is that of the listing that priced them, or none. */
export const addToTurns = (tx: Tx, scopes: readonly number[], counter: string, more: Partial<TurnsRow>): void => {
  const { turns = 0, untold = 0, priced = 0, listed = 0, unmeasured = 0 } = more;
  for (const scope of scopes)
    tx.run(
      `insert into ledger_turns values (?, ?, ?, ?, ?, ?, ?) on conflict do update set
        turns = turns + excluded.turns, untold = untold + excluded.untold, priced = priced + excluded.priced,
        listed = listed + excluded.listed, unmeasured = unmeasured + excluded.unmeasured`,
      [scope, counter, turns, untold, priced, listed, unmeasured],
    );
};

export const minuteMs = 60_000;
/** Minutes of the stretches whose sums are kept: the short ones for an hour's or a day's series, the long ones for all. */
export const keptSteps = [1, 60] as const;

/** Adds to the stretches around `at` in each of `scopes`. */
export const addToTimes = (tx: Tx, scopes: readonly number[], at: number, more: Partial<Moment>): void => {
  const { moved = 0, listed = 0, call = 0, answer = 0 } = more;
  if (moved + listed + call + answer === 0) return;
  for (const scope of scopes)
    for (const step of keptSteps)
      tx.run(
        `insert into ledger_time values (?, ?, ?, ?, ?, ?, ?) on conflict do update set
          moved = moved + excluded.moved, listed = listed + excluded.listed, call = call + excluded.call,
          answer = answer + excluded.answer`,
        [scope, step, Math.floor(at / (step * minuteMs)), moved, listed, call, answer],
      );
};

export const readTotals = (tx: Tx, scope: number): TotalRow[] =>
  tx.all<TotalRow>(
    'select kind, tool, counter, total.* from ledger_total as total join ledger_class on id = class where scope = ?',
    [scope],
  );

export const readTurns = (tx: Tx, scope: number): (TurnsRow & { counter: string })[] =>
  tx.all('select * from ledger_turns where scope = ?', [scope]);
