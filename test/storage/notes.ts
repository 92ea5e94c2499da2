/** The drawer of the storage's tests: numbered notes by writers, and a count a writer that shows what was applied twice. */
import { job, read, write, type Operations } from '#base/operation.ts';
import type { RoomMigrations, SqlFunction } from '#base/tx.ts';

type Note = { writer: string; n: number; body?: Uint8Array; text?: string };

export const operations = {
  add: write((tx, { writer, n, body, text }: Note) => {
    tx.run('insert into note (writer, n, body) values (?, ?, ?)', [writer, n, body ?? null]);
    if (text !== undefined)
      tx.run('insert into words (docid, text) values ((select max(id) from note), shout(?))', [text]);
    tx.run('insert or ignore into tally values (?, 0)', [writer]);
    tx.run('update tally set count = count + 1 where writer = ?', [writer]);
    return { count: tx.get<{ count: number }>('select count from tally where writer = ?', [writer])!.count };
  }),
  /** Changes something, then fails. */
  fail: write((tx) => {
    tx.run("insert into tally values ('failed', 1)");
    tx.run('insert into nowhere values (1)');
  }),
  remove: write((tx, writer: string) => {
    tx.run('delete from words where docid in (select id from note where writer = ?)', [writer]);
    tx.run('delete from note where writer = ?', [writer]);
  }),
  /** Changes nothing though it is a write. */
  idle: write((tx) => tx.get<{ n: number }>('select count(*) as n from note')!.n),
  count: read((tx) => tx.get<{ n: number }>('select count(*) as n from note')!.n),
  sum: read((tx) => tx.get<{ n: number }>('select coalesce(sum(n), 0) as n from note')!.n),
  all: read((tx) =>
    tx
      .all<{ writer: string; n: number }>('select writer, n from note order by id')
      .map(({ writer, n }) => `${writer} ${n}`),
  ),
  tallies: read((tx) => tx.all<{ writer: string; count: number }>('select writer, count from tally')),
  body: read((tx, n: number) => tx.get<{ body: Uint8Array | null }>('select body from note where n = ?', [n])?.body),
  byId: read((tx, id: number) => tx.get<{ body: Uint8Array }>('select body from note where id = ?', [id])?.body),
  find: read((tx, word: string) =>
    tx.all<{ docid: number }>('select docid from words where words match ?', [word]).map(({ docid }) => docid),
  ),
  integrity: read((tx) => tx.get<{ integrity_check: string }>('pragma integrity_check')!.integrity_check),
  keys: read((tx) => tx.get<{ n: number }>('select count(*) as n from loom_request')!.n),
  migrations: read((tx) =>
    tx
      .all<{ room: string; number: number; name: string }>('select * from migration')
      .map(({ room, number, name }) => `${room} ${number}: ${name}`),
  ),
  /** Adds `count` notes of `size` bytes, some in each stretch; goes on where an earlier run stopped. */
  fill: job(function* (tx, { name, count, size }: { name: string; count: number; size: number }) {
    tx.run('insert or ignore into progress values (?, 0)', [name]);
    let done = tx.get<{ done: number }>('select done from progress where name = ?', [name])!.done;
    while (done < count) {
      for (let i = 0; i < 16 && done < count; i++, done++)
        tx.run('insert into note (writer, n, body) values (?, ?, ?)', [name, done, new Uint8Array(size).fill(done)]);
      tx.run('update progress set done = ? where name = ?', [done, name]);
      yield;
    }
    return done;
  }),
  /** Indexes `count` texts of about 4 KB, each stretch one text. */
  index: job(function* (tx, { name, count }: { name: string; count: number }) {
    tx.run('insert or ignore into progress values (?, 0)', [name]);
    let done = tx.get<{ done: number }>('select done from progress where name = ?', [name])!.done;
    for (; done < count; done++) {
      const words = Array.from({ length: 600 }, (_, i) =>
        (((done * 7919 + i * 104729) % 9973) % (1 + ((i * 31) % 997))).toString(36),
      );
      tx.run('insert into words (text) values (?)', [words.join(' ')]);
      tx.run('update progress set done = ? where name = ?', [done + 1, name]);
      yield;
    }
    return done;
  }),
};

const tables: RoomMigrations = {
  room: 'notes',
  migrations: [
    {
      name: 'notes: tables',
      up: (tx) => {
        tx.run('create table note (id integer primary key, writer text, n integer, body blob)');
        tx.run('create table tally (writer text primary key, count integer)');
      },
    },
    {
      name: 'notes 2: words, and progress',
      up: (tx) => {
        tx.run('create virtual table words using fts4(text, tokenize=unicode61)');
        // Merges a little at each write instead of everything now and then: no write holds the owner for long.
        tx.run("insert into words (words) values ('automerge=2')");
        tx.run('create table progress (name text primary key, done integer)');
      },
    },
  ],
};
export const migrations = [tables];

/** The notes' list with further steps, and further rooms. */
export const withMore = (steps: RoomMigrations['migrations'], ...rooms: RoomMigrations[]): RoomMigrations[] => [
  { ...tables, migrations: [...tables.migrations, ...steps] },
  ...rooms,
];

/** A room that other programs may not have: `put` counts, `fill` is long. */
export const extraRoom = (room: string): { operations: Operations; tables: RoomMigrations } => ({
  operations: {
    [`${room}.put`]: write((tx, n: number) => {
      tx.run(`insert into ${room} values (?)`, [n]);
      return tx.get<{ n: number }>(`select count(*) as n from ${room}`)!.n;
    }),
    [`${room}.all`]: read((tx) => tx.all(`select n from ${room}`)),
    [`${room}.filled`]: read((tx) => tx.get<{ n: number }>(`select count(*) as n from ${room}_fill`)!.n),
    [`${room}.fill`]: job(function* (tx, count: number) {
      let done = tx.get<{ n: number }>(`select count(*) as n from ${room}_fill`)!.n;
      for (; done < count; done++) {
        tx.run(`insert into ${room}_fill values (?)`, [done]);
        yield;
      }
    }),
  } as Operations,
  tables: {
    room,
    migrations: [
      { name: 'numbers', up: (tx) => void tx.run(`create table ${room} (n integer primary key)`) },
      { name: 'filled', up: (tx) => void tx.run(`create table ${room}_fill (n integer primary key)`) },
    ],
  },
});

export const functions: SqlFunction[] = [{ name: 'shout', run: (text: string) => `${text} ${text.toUpperCase()}x` }];

export const notes = { operations, migrations, functions };

/** What a doctor is told of the notes. */
export const inFile = (folder: string) => ({ folder, functions, migrations, mend: () => [], look: () => [] });
