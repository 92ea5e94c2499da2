// Entries: what one is, and how it comes into the tables.
import type { Tx } from '#base/tx.ts';
import { accountOf, scopeIn, scopesOf } from './scopes.ts';
import type { Account, Counted, EntryKind, MovedEntry } from './types.ts';
import { addToTimes, addToTotals, addToTurns } from './totals.ts';

/** What every entry says of itself: nothing is entered twice under one identity, and `counter` counted its tokens. */
type Known = Account & { identity: string; at: number; counter: string };

export type ListingEntry = Known & { kind: 'listing'; listing: Counted };

/** One call: what the model wrote, and what it was answered. `part` is content stored, or fetched again. */
export type CallEntry = Known & {
  kind: 'call';
  /** Undefined where the client does not tell its turns. */
  turn: string | undefined;
  tool: string;
  call: Counted & { part: number };
  answer: Counted & { part: number };
  latency: number;
};

/** A relayed call that was answered from the cache. It saves `latency` milliseconds, and not one token: the answer is paid for. */
export type CacheHitEntry = Known & { kind: 'cache_hit'; tool: string; latency: number };

export type LedgerEntry = ListingEntry | CallEntry | CacheHitEntry;

type Row = Counted & {
  identity: string;
  at: number;
  kind: EntryKind;
  counter: string;
  tool?: string;
  document?: string;
  part?: number;
  excess?: number;
  latency?: number;
};

/** Adds `entries` in their order; what has been added under the same identity stays as it is. */
export const addEntries = (tx: Tx, entries: readonly LedgerEntry[]): void => {
  for (const entry of entries) {
    if (entry.kind === 'listing') addListing(tx, entry);
    else if (entry.kind === 'call') addCall(tx, entry);
    else addRow(tx, entry, { ...entry, tokens: 0, bytes: 0, estimated: false });
  }
};

/** Adds what a document or an execution kept out of the prompt, once. Meant for the transaction that stores it. */
export const recordMoved = (tx: Tx, entry: MovedEntry): void => {
  if (entry.tokens + entry.excess === 0) return;
  const { of, session } = entry;
  const document = 'document' in of ? of.document : `In [${of.execution}]`;
  const identity = 'document' in of ? `moved ${document}` : `moved ${session} ${document}`;
  if (!addRow(tx, entry, { ...entry, kind: 'moved', identity, document })) return;
  addToTimes(tx, scopesOf(tx, entry), entry.at, { moved: entry.tokens });
};

/** Remembers that `calls` of `account` stand in no entry. */
export const addUnmeasured = (tx: Tx, account: Account, calls: number): void =>
  addToTurns(tx, scopesOf(tx, account), '', { unmeasured: calls });

type Listing = { entry: number; class: number; tokens: number; counter: string };

const addListing = (tx: Tx, entry: ListingEntry): void => {
  const { session, client, listing } = entry;
  if (!addRow(tx, entry, { ...entry, ...listing })) return;
  tx.run(
    `insert into ledger_listing (session, client, entry)
      select ?, ?, id from ledger_entry where identity = ?
      on conflict do update set entry = excluded.entry`,
    [session, client, entry.identity],
  );
  // Turns that came before their client's first listing was known are priced now.
  const unpriced = tx.all<Account & { unpriced: number }>(
    'select * from ledger_account where session = ? and client = ? and unpriced > 0',
    [session, client],
  );
  for (const account of unpriced) price(tx, account, account.unpriced, entry.at);
  tx.run('update ledger_account set unpriced = 0 where session = ? and client = ?', [session, client]);
};

const addCall = (tx: Tx, entry: CallEntry): void => {
  const { identity, at, tool, counter, latency } = entry;
  const row = { at, tool, counter, latency };
  if (!addRow(tx, entry, { ...entry.call, ...row, kind: 'call', identity: `${identity} call` })) return;
  addRow(tx, entry, { ...entry.answer, ...row, kind: 'answer', identity: `${identity} answer` });
  addToTimes(tx, scopesOf(tx, entry), at, { call: entry.call.tokens, answer: entry.answer.tokens });
  addTurn(tx, entry);
};

/** Counts the call's turn once, at the price of the listing in force. */
const addTurn = (tx: Tx, entry: CallEntry): void => {
  const { turn = '' } = entry;
  const account = accountId(tx, entry);
  if (tx.run('insert into ledger_turn values (?, ?) on conflict do nothing', [account, turn]) === 0) return;
  addToTurns(tx, scopesOf(tx, entry), '', { turns: 1, untold: turn === '' ? 1 : 0 });
  if (price(tx, entry, 1, entry.at)) return;
  tx.run('update ledger_account set unpriced = unpriced + 1 where id = ?', [account]);
};

/** Has `account` pay the listing in force for so many turns; false where none is known. */
const price = (tx: Tx, account: Account, turns: number, at: number): boolean => {
  const { session, client, conversation } = account;
  // Clients list once a connection, before they know of a conversation: the session's latest listing counts.
  const listing = tx.get<Listing>(
    `select entry, class, tokens, counter from ledger_listing join ledger_entry as of on of.id = entry
      join ledger_class as kept on kept.id = class where session = ? and client = ?`,
    [session, client],
  );
  if (listing === undefined) return false;
  const scopes = scopesOf(tx, account);
  addToTurns(tx, scopes, listing.counter, { priced: turns, listed: turns * listing.tokens });
  addToTimes(tx, scopes, at, { listed: turns * listing.tokens });
  // The entry stands in every conversation that pays it, whatever the connection was called that it came by.
  place(tx, scopeIn(tx, { conversation }), listing.entry);
  return true;
};

const accountId = (tx: Tx, account: Account): number => {
  const { session, conversation, client } = accountOf(account);
  const key = [session, conversation, client];
  const find = 'select id from ledger_account where session = ? and conversation = ? and client = ?';
  const found = tx.get<{ id: number }>(find, key);
  if (found) return found.id;
  tx.run('insert into ledger_account (session, conversation, client) values (?, ?, ?)', key);
  return accountId(tx, account);
};

const classId = (tx: Tx, kind: EntryKind, tool: string, counter: string): number => {
  const key = [kind, tool, counter];
  const found = tx.get<{ id: number }>('select id from ledger_class where kind = ? and tool = ? and counter = ?', key);
  if (found) return found.id;
  tx.run('insert into ledger_class (kind, tool, counter) values (?, ?, ?)', key);
  return classId(tx, kind, tool, counter);
};

type Kept = { class: number; tokens: number; part: number; excess: number; estimated: number; latency: number };

/** Has an entry stand in a scope, and in its sums, once. */
const place = (tx: Tx, scope: number, entry: number): void => {
  const kept = tx.get<Kept>(
    'select class, tokens, part, excess, estimated, coalesce(latency, 0) as latency from ledger_entry where id = ?',
    [entry],
  );
  if (kept === undefined) return;
  const placed = tx.run('insert into ledger_place values (?, ?, ?) on conflict do nothing', [scope, entry, kept.class]);
  if (placed > 0) addToTotals(tx, scope, kept);
};

/** Adds `row` to every scope of its account, or finds that there is one of its identity and answers false. */
const addRow = (tx: Tx, account: Account, row: Row): boolean => {
  const { identity, at, kind, tool = '', counter, document = null, tokens, excess = 0, bytes, latency = null } = row;
  // Escapes may merge better than what they stand for; a part is never larger than its whole all the same.
  const part = Math.min(row.part ?? 0, tokens);
  const added = tx.run(
    `insert into ledger_entry
      (identity, account, class, at, document, tokens, part, excess, bytes, estimated, latency)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (identity) do nothing`,
    [
      identity,
      accountId(tx, account),
      classId(tx, kind, tool, counter),
      at,
      document,
      tokens,
      part,
      excess,
      bytes,
      row.estimated ? 1 : 0,
      latency,
    ],
  );
  if (added === 0) return false;
  const { id } = tx.get<{ id: number }>('select max(id) as id from ledger_entry') ?? { id: 0 };
  for (const scope of scopesOf(tx, account)) place(tx, scope, id);
  return true;
};
