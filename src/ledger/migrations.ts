// The ledger's tables, a step at a time.
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

// A page of a scope, from either end, is a walk over `ledger_place`, and a series a walk over `ledger_time`: both are kept
// up with every entry, as the totals are. Kind, tool and counter stand once for all entries that have them.
const createScopes: Migration = {
  name: 'ledger: scopes, pages, minutes, counters',
  up: (tx) => {
    for (const name of formerTables) tx.run(`alter table ${name} rename to former_${name}`);
    for (const table of scopedTables) tx.run(table);
    for (const step of fromFormer) tx.run(step);
    for (const name of formerTables) tx.run(`drop table former_${name}`);
  },
};

// In the order in which they can be dropped: a listing refers to its entry.
const formerTables = ['ledger_listing', 'ledger_entry', 'ledger_total', 'ledger_turns'];

const scopedTables = [
  'create table ledger_scope (id integer primary key, name text not null unique)',
  `create table ledger_class (
    id integer primary key,
    kind text not null check (kind in ('listing', 'call', 'answer', 'moved', 'cache_hit')),
    tool text not null,
    counter text not null,
    unique (kind, tool, counter)
  )`,
  `create table ledger_entry (
    id integer primary key,
    identity text not null unique,
    account integer not null,
    class integer not null,
    at integer not null,
    document text,
    tokens integer not null check (tokens >= 0),
    part integer not null check (part between 0 and tokens),
    excess integer not null check (excess >= 0),
    bytes integer not null,
    estimated integer not null,
    latency integer
  )`,
  `create table ledger_place (
    scope integer not null,
    entry integer not null,
    class integer not null,
    primary key (scope, entry)
  ) without rowid`,
  `create table ledger_total (
    scope integer not null,
    class integer not null,
    entries integer not null,
    tokens integer not null,
    part integer not null,
    excess integer not null,
    estimated integer not null,
    latency integer not null,
    primary key (scope, class)
  ) without rowid`,
  `create table ledger_listing (
    session text not null,
    client text not null,
    entry integer not null,
    primary key (session, client)
  ) without rowid`,
  // One row for each counter that a listing was counted by; all else stands in the row without one.
  `create table ledger_turns (
    scope integer not null,
    counter text not null,
    turns integer not null,
    untold integer not null,
    priced integer not null,
    listed integer not null,
    unmeasured integer not null,
    primary key (scope, counter)
  ) without rowid`,
  // Sums of each minute and of each hour: `step` minutes, the `place`th since 1970.
  `create table ledger_time (
    scope integer not null,
    step integer not null,
    place integer not null,
    moved integer not null,
    listed integer not null,
    call integer not null,
    answer integer not null,
    primary key (scope, step, place)
  ) without rowid`,
];

const fromFormer = [
  'insert into ledger_scope (name) select scope from former_ledger_total union select scope from former_ledger_turns',
  'insert into ledger_class (kind, tool, counter) select distinct kind, tool, counter from former_ledger_entry',
  `insert into ledger_entry
    select e.id, identity, account, c.id, at, document, tokens, part, excess, bytes, estimated, latency
    from former_ledger_entry as e join ledger_class as c using (kind, tool, counter)`,
  'insert into ledger_listing select session, client, entry from former_ledger_listing',
  `insert into ledger_place
    select s.id, e.id, class from ledger_entry as e join ledger_account as a on a.id = account
      join ledger_scope as s on s.name in ('session ' || session, 'conversation ' || conversation, 'life')`,
  `insert into ledger_total
    select scope, e.class, count(*), sum(tokens), sum(part), sum(excess), max(estimated), sum(coalesce(latency, 0))
    from ledger_place join ledger_entry as e on e.id = entry group by scope, e.class`,
  `insert into ledger_turns
    select s.id, '', turns, untold, 0, 0, unmeasured from former_ledger_turns join ledger_scope as s on name = scope`,
  `insert into ledger_turns
    select s.id, 'o200k_base', 0, 0, priced, listed, 0 from former_ledger_turns join ledger_scope as s on name = scope
    where priced > 0`,
  `insert into ledger_time
    select scope, step, at / 60000 / step, sum(iif(kind = 'moved', tokens, 0)), 0, sum(iif(kind = 'call', tokens, 0)),
      sum(iif(kind = 'answer', tokens, 0))
    from ledger_place join ledger_entry as e on e.id = entry join ledger_class as c on c.id = e.class,
      (select 1 as step union select 60)
    where kind <> 'listing' group by scope, step, at / 60000 / step`,
  // Their times were not kept: all of a scope's turns stand where its last entry does.
  `update ledger_time as t set listed = (select sum(listed) from ledger_turns as of where of.scope = t.scope)
    where place = (select max(place) from ledger_time as of where of.scope = t.scope and of.step = t.step)`,
];

export const ledgerMigrations: readonly Migration[] = [createEntries, createTotals, createScopes];
