/**
 * Brings the schema up to date, room by room. INVARIANTS
 * 1. Each migration runs once, in the order of its room's list, in a write of its own that also records its number there.
 * 2. A drawer with a higher number in a room that this program has was written by a newer one.
 * 3. Rooms that this program does not have are left as they are.
 */
import { write, type Write } from '#base/operation.ts';
import type { RoomMigrations, Tx } from '#base/tx.ts';
import { newer } from '#storage/file/journal.ts';

type Recorded = { room: string; number: number; name: string };

/** The writes that bring a drawer up to date, to be run one after the other. */
export const migrationSteps = (rooms: readonly RoomMigrations[]): Write<undefined, void>[] => [
  write((tx) => {
    createTable(tx);
    for (const { room, migrations } of rooms) refuseNewer(tx, room, migrations.length);
  }),
  ...rooms.flatMap(({ room, migrations }) =>
    migrations.map(({ name, up }, index) =>
      write((tx: Tx) => {
        const number = index + 1;
        if (tx.get('select 1 from migration where room = ? and number = ?', [room, number])) return;
        up(tx);
        record(tx, { room, number, name });
      }),
    ),
  ),
];

export const migrationTable = 'migration';

/** Says that all steps of these lists were made. */
export const recordMigrations = (tx: Tx, rooms: readonly RoomMigrations[]): void => {
  for (const { room, migrations } of rooms)
    for (const [index, { name }] of migrations.entries())
      tx.run('insert or ignore into migration (room, number, name) values (?, ?, ?)', [room, index + 1, name]);
};

const record = (tx: Tx, { room, number, name }: Recorded): void =>
  void tx.run('insert into migration (room, number, name) values (?, ?, ?)', [room, number, name]);

const refuseNewer = (tx: Tx, room: string, known: number): void => {
  const beyond = tx.get<Recorded>('select * from migration where room = ? and number > ?', [room, known]);
  if (beyond) throw newer(`The drawer (its schema has ${room} ${beyond.number}, "${beyond.name}")`);
};

/** `name` is for a person, and for programs from before the numbers: they know their migrations by it. */
const createTable = (tx: Tx): void => {
  const columns = tx.all<{ name: string }>("select name from pragma_table_info('migration')");
  if (columns.some(({ name }) => name === 'room')) return;
  const former = columns.length === 0 ? [] : formerly(tx);
  if (columns.length > 0) tx.run('drop table migration');
  tx.run(`create table migration (
    room text not null, number integer not null, name text not null, primary key (room, number)) without rowid`);
  for (const one of former) record(tx, one);
};

/** Migrations were recorded by names alone, in the order in which they ran: `drawer 2: tombstones`, `ledger: entries`. */
const formerly = (tx: Tx): Recorded[] => {
  const numbers = new Map<string, number>();
  return tx.all<{ name: string }>('select name from migration order by rowid').map(({ name }) => {
    const room = /^(\w+)(?: \d+)?: /.exec(name)?.[1];
    if (room === undefined) throw newer(`The drawer (its schema has "${name}")`);
    const number = (numbers.get(room) ?? 0) + 1;
    numbers.set(room, number);
    return { room, number, name };
  });
};
