import type { Tx } from '#base/tx.ts';
import { counter } from './vocabulary.ts';

/** Whose entry it is. */
export type Account = { session: string; conversation: string; client: string };

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
  kind: 'listing' | 'call' | 'answer' | 'moved';
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
  addRow(tx, conversationId(tx, entry), { ...entry, kind: 'moved', identity: `moved ${entry.document}` });
};

/** Remembers that `calls` of `account` stand in no entry. */
export const addUnmeasured = (tx: Tx, account: Account, calls: number): void => {
  const id = conversationId(tx, account);
  tx.run('update ledger_conversation set unmeasured = unmeasured + ? where id = ?', [calls, id]);
};

const addListing = (tx: Tx, { listing, identity, at, ...account }: ListingEntry): void => {
  addRow(tx, conversationId(tx, account), { ...listing, kind: 'listing', identity, at });
  // A turn that came before its client's first listing was known is priced now.
  tx.run(
    `update ledger_turn set listing = ? where listing is null and conversation in
      (select id from ledger_conversation where session = ? and client = ?)`,
    [listing.tokens, account.session, account.client],
  );
};

const addCall = (tx: Tx, entry: CallEntry): void => {
  const id = conversationId(tx, entry);
  const { identity, at, tool, latency } = entry;
  const added = addRow(tx, id, { ...entry.call, kind: 'call', identity: `${identity} call`, at, tool, latency });
  if (!added) return;
  addRow(tx, id, { ...entry.answer, kind: 'answer', identity: `${identity} answer`, at, tool });
  // Clients list once a connection, before they know of a conversation: the session's latest listing counts.
  tx.run(
    `insert into ledger_turn (conversation, turn, listing) values (?, ?, (
      select tokens from ledger_entry where kind = 'listing' and conversation in
        (select id from ledger_conversation where session = ? and client = ?)
      order by id desc limit 1
    )) on conflict do nothing`,
    [id, entry.turn ?? '', entry.session, entry.client],
  );
};

const conversationId = (tx: Tx, { session, conversation, client }: Account): number => {
  const key = [session, conversation, client];
  tx.run(
    'insert into ledger_conversation (session, conversation, client) values (?, ?, ?) on conflict do nothing',
    key,
  );
  const found = 'select id from ledger_conversation where session = ? and conversation = ? and client = ?';
  return tx.get<{ id: number }>(found, key)!.id;
};

/** Whether there was no row of that identity yet. */
const addRow = (tx: Tx, conversation: number, row: Row): boolean => {
  // Escapes may merge better than what they stand for; a part is never larger than its whole all the same.
  const part = Math.min(row.part ?? 0, row.tokens);
  const added = tx.run(
    `insert into ledger_entry
      (identity, conversation, at, kind, tool, document, counter, tokens, part, excess, bytes, estimated, latency)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (identity) do nothing`,
    [
      row.identity,
      conversation,
      row.at,
      row.kind,
      row.tool ?? '',
      row.document ?? null,
      counter,
      row.tokens,
      part,
      row.excess ?? 0,
      row.bytes,
      row.estimated ? 1 : 0,
      row.latency ?? null,
    ],
  );
  return added > 0;
};
