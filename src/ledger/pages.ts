// Entries by the page.
import type { Tx } from '#base/tx.ts';
import { scopeOf } from './scopes.ts';
import type { EntriesArgs, EntriesPage, EntryKind, EntryRow, Label, ReportArgs } from './types.ts';

/** Rows that one answer may have: more would hold the drawer for longer than a slice. */
export const mostRows = 2_000;

type Stored = Omit<EntryRow, 'label' | 'document' | 'latency'> & {
  estimated: number;
  document: string | null;
  latency: number | null;
};

const labels: Record<EntryKind, Label> = {
  listing: 'measured',
  call: 'measured',
  answer: 'measured',
  moved: 'computed',
  cache_hit: 'measured',
};

const rowOf = ({ estimated, document, latency, ...row }: Stored): EntryRow => ({
  ...row,
  document: document ?? undefined,
  latency: latency ?? undefined,
  label: estimated ? 'estimated' : labels[row.kind],
});

/** The entries that `places`, a query of their numbers, finds. */
const rows = (tx: Tx, places: string, params: readonly number[]): EntryRow[] =>
  tx
    .all<Stored>(
      `select e.id, at, kind, tool, client, session, conversation, document, counter, tokens, part, excess, bytes,
          estimated, latency
        from (${places}) join ledger_entry as e on e.id = entry join ledger_class as c on c.id = e.class
          join ledger_account as a on a.id = e.account
        order by e.id`,
      params,
    )
    .map(rowOf);

type Class = { class: number; kind: EntryKind; tool: string; entries: number };

/** The scope's kinds of entries that are asked for, and how many there are of each. */
const classesIn = (tx: Tx, scope: number, { kind, tool }: Pick<EntriesArgs, 'kind' | 'tool'>): Class[] =>
  tx
    .all<Class>('select class, kind, tool, entries from ledger_total join ledger_class on id = class where scope = ?', [
      scope,
    ])
    .filter((of) => (kind === undefined || of.kind === kind) && (tool === undefined || of.tool === tool));

/** A page of a scope's entries, newest first. It walks from whichever end is nearer, over an index that holds all it needs. */
export const page = (tx: Tx, args: EntriesArgs): EntriesPage => {
  const { before = Number.MAX_SAFE_INTEGER } = args;
  const limit = Math.min(Math.max(0, Math.floor(args.limit)), mostRows);
  const scope = scopeOf(tx, args);
  if (scope === undefined) return { rows: [], total: 0 };
  const classes = classesIn(tx, scope, args);
  const total = classes.reduce((sum, { entries }) => sum + entries, 0);
  const offset = Math.max(0, Math.floor(args.offset));
  const left = Math.min(limit, total - offset);
  if (left <= 0) return { rows: [], total };
  const all = args.kind === undefined && args.tool === undefined;
  const wanted = all ? '' : `and class in (${classes.map(({ class: id }) => id).join(', ')})`;
  const fromEnd = args.before === undefined && offset > total / 2;
  const found = rows(
    tx,
    `select entry from ledger_place where scope = ? and entry < ? ${wanted}
      order by entry ${fromEnd ? 'asc' : 'desc'} limit ? offset ?`,
    [scope, before, left, fromEnd ? total - offset - left : offset],
  );
  return { rows: found.reverse(), total };
};

/** Entries of a scope after the entry `after`, oldest first; none added after `last`. */
export const following = (tx: Tx, args: ReportArgs & { after: number; last: number; limit: number }): EntryRow[] => {
  const scope = scopeOf(tx, args);
  if (scope === undefined) return [];
  const places = 'select entry from ledger_place where scope = ? and entry > ? and entry <= ? order by entry limit ?';
  return rows(tx, places, [scope, args.after, args.last, Math.min(args.limit, mostRows)]);
};
