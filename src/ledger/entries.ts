import type { Tx } from '#base/tx.ts';
import { addToTotals, addToTurns, type Account, type TotalRow } from './totals.ts';
import { counter } from './vocabulary.ts';

export const accountOf = ({ session, conversation, client }: Account): Account => ({ session, conversation, client });

/** A count as an entry keeps it. */
export type Counted = { tokens: number; bytes: number; estimated: boolean };

export type ListingEntry = Account & { kind: 'listing'; identity: string; at: number; listing: Counted };

/** One call: what the model wrote, and what it was answered. `part` is content stored, or fetched again. */
export type CallEntry = Account & {
  kind: 'call';
  identity: string;
  at: number;
  /** Undefined where the client does not tell its turns. */
  turn: string | undefined;
  tool: string;
  call: Counted & { part: number };
  answer: Counted & { part: number };
  latency: number;
};

/** What a stored document kept out of the prompt: `tokens` within what its client would have read, `excess` beyond. */
export type MovedEntry = Account & Counted & { document: string; at: number; tool: string; excess: number };

export type LedgerEntry = ListingEntry | CallEntry;

type Row = Counted & {
  identity: string;
  at: number;
  kind: TotalRow['kind'];
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
    else addCall(tx, entry);
  }
};

/** Adds what a document kept out of the prompt, once a document. Meant for the transaction that stores it. */
export const recordMoved = (tx: Tx, entry: MovedEntry): void => {
  if (entry.tokens + entry.excess === 0) return;
  addRow(tx, entry, { ...entry, kind: 'moved', identity: `moved ${entry.document}` });
};

/** Remembers that `calls` of `account` stand in no entry. */
export const addUnmeasured = (tx: Tx, account: Account, calls: number): void =>
  addToTurns(tx, account, { unmeasured: calls });

const addListing = (tx: Tx, entry: ListingEntry): void => {
  const { session, client, identity, at, listing } = entry;
  if (!addRow(tx, entry, { ...listing, kind: 'listing', identity, at })) return;
  tx.run(
    `insert into ledger_listing (session, client, entry)
      select ?, ?, id from ledger_entry where identity = ?
      on conflict do update set entry = excluded.entry`,
    [session, client, identity],
  );
  // Turns that came before their client's first listing was known are priced now.
  const unpriced = tx.all<Account & { unpriced: number }>(
    'select * from ledger_account where session = ? and client = ? and unpriced > 0',
    [session, client],
  );
  for (const account of unpriced)
    addToTurns(tx, account, { priced: account.unpriced, listed: account.unpriced * listing.tokens });
  tx.run('update ledger_account set unpriced = 0 where session = ? and client = ?', [session, client]);
};

const addCall = (tx: Tx, entry: CallEntry): void => {
  const { identity, at, tool, latency } = entry;
  const row = { at, tool, latency };
  if (!addRow(tx, entry, { ...entry.call, ...row, kind: 'call', identity: `${identity} call` })) return;
  addRow(tx, entry, { ...entry.answer, ...row, kind: 'answer', identity: `${identity} answer` });
  addTurn(tx, entry);
};

/** Counts the call's turn once, at the price of the listing in force. */
const addTurn = (tx: Tx, entry: CallEntry): void => {
  const { turn = '', session, client } = entry;
  const account = accountId(tx, entry);
  if (tx.run('insert into ledger_turn values (?, ?) on conflict do nothing', [account, turn]) === 0) return;
  // Clients list once a connection, before they know of a conversation: the session's latest listing counts.
  const listing = tx.get<{ tokens: number }>(
    'select tokens from ledger_listing join ledger_entry on id = entry where session = ? and client = ?',
    [session, client],
  );
  const untold = turn === '' ? 1 : 0;
  addToTurns(tx, entry, { turns: 1, untold, priced: listing ? 1 : 0, listed: listing?.tokens ?? 0 });
  if (!listing) tx.run('update ledger_account set unpriced = unpriced + 1 where id = ?', [account]);
};

const accountId = (tx: Tx, { session, conversation, client }: Account): number => {
  const key = [session, conversation, client];
  const find = 'select id from ledger_account where session = ? and conversation = ? and client = ?';
  const found = tx.get<{ id: number }>(find, key);
  if (found) return found.id;
  tx.run('insert into ledger_account (session, conversation, client) values (?, ?, ?)', key);
  return accountId(tx, { session, conversation, client });
};

/** Adds `row` and its sums, or finds that there is one of its identity and answers false. */
const addRow = (tx: Tx, account: Account, row: Row): boolean => {
  const { identity, at, kind, tool = '', document = null, tokens, excess = 0, bytes, latency = null } = row;
  // Escapes may merge better than what they stand for; a part is never larger than its whole all the same.
  const part = Math.min(row.part ?? 0, tokens);
  const estimated = row.estimated ? 1 : 0;
  const owner = accountId(tx, account);
  const added = tx.run(
    `insert into ledger_entry
      (identity, account, at, kind, tool, document, counter, tokens, part, excess, bytes, estimated, latency)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (identity) do nothing`,
    [identity, owner, at, kind, tool, document, counter, tokens, part, excess, bytes, estimated, latency],
  );
  if (added > 0) addToTotals(tx, account, { kind, tool, entries: 1, tokens, part, excess, estimated });
  return added > 0;
};
