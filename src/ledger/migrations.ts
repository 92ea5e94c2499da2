import type { Migration } from '#base/tx.ts';

// Entries are only ever added: purging a session leaves them, so that totals for life do not fall. Their names stand in
// a table of their own, as an entry with three more texts would be twice as large.
const createEntries: Migration = {
  name: 'ledger: entries',
  up: (tx) => {
    tx.run(`create table ledger_account (
      id integer primary key,
      session text not null,
      conversation text not null,
      client text not null,
      unpriced integer not null default 0,
      unique (session, conversation, client)
    )`);
    tx.run('create index ledger_account_conversation on ledger_account (conversation)');
    tx.run(`create table ledger_entry (
      id integer primary key,
      identity text not null unique,
      account integer not null references ledger_account (id),
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
    tx.run(`create table ledger_turn (
      account integer not null references ledger_account (id),
      turn text not null,
      primary key (account, turn)
    ) without rowid`);
    // The listing in force for a session's client.
    tx.run(`create table ledger_listing (
      session text not null,
      client text not null,
      entry integer not null references ledger_entry (id),
      primary key (session, client)
    ) without rowid`);
  },
};

// What a report needs, kept up with every entry: summing a year of entries would take seconds.
const createTotals: Migration = {
  name: 'ledger: totals',
  up: (tx) => {
    tx.run(`create table ledger_total (
      scope text not null,
      kind text not null,
      tool text not null,
      entries integer not null,
      tokens integer not null,
      part integer not null,
      excess integer not null,
      estimated integer not null,
      primary key (scope, kind, tool)
    ) without rowid`);
    tx.run(`create table ledger_turns (
      scope text primary key,
      turns integer not null,
      untold integer not null,
      priced integer not null,
      listed integer not null,
      unmeasured integer not null
    ) without rowid`);
  },
};

export const ledgerMigrations: readonly Migration[] = [createEntries, createTotals];
