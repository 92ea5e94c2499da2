import type { Migration } from '#base/tx.ts';

// Entries are only ever added: purging a session leaves them, so that totals for life do not fall. The conversation's
// texts stand in a table of their own, since an entry with three of them would be thrice as large.
const createLedgerTables: Migration = {
  name: 'ledger: conversations, turns, entries',
  up: (tx) => {
    tx.run(`create table ledger_conversation (
      id integer primary key,
      session text not null,
      conversation text not null,
      client text not null,
      unmeasured integer not null default 0,
      unique (session, conversation, client)
    )`);
    tx.run(`create table ledger_turn (
      conversation integer not null references ledger_conversation (id),
      turn text not null,
      listing integer,
      primary key (conversation, turn)
    ) without rowid`);
    tx.run(`create table ledger_entry (
      id integer primary key,
      identity text not null unique,
      conversation integer not null references ledger_conversation (id),
      at integer not null,
      kind text not null check (kind in ('listing', 'call', 'answer', 'moved')),
      tool text not null,
      document text,
      counter text not null,
      tokens integer not null check (tokens >= 0),
      part integer not null check (part between 0 and tokens),
      excess integer not null check (excess >= 0),
      bytes integer not null,
      estimated integer not null,
      latency integer
    )`);
    tx.run('create index ledger_entry_scope on ledger_entry (conversation, kind)');
  },
};

export const ledgerMigrations: readonly Migration[] = [createLedgerTables];
