/**
 * Brings the schema up to date. INVARIANT: each migration runs once, in the order of the list, in a write of its own that
 * also notes its name; a drawer that names a migration this Loom does not know was written by a newer one.
 */
import { write, type Write } from '#base/operation.ts';
import type { Migration } from '#base/tx.ts';
import { newer } from '#storage/file/journal.ts';

/** The writes that bring a drawer up to date, to be run one after the other. */
export const migrationSteps = (migrations: readonly Migration[]): Write<undefined, void>[] => [
  write((tx) => {
    if (!tx.get("select 1 from sqlite_master where name = 'migration'"))
      tx.run('create table migration (name text primary key)');
    const known = new Set(migrations.map(({ name }) => name));
    const unknown = tx.all<{ name: string }>('select name from migration').find(({ name }) => !known.has(name));
    if (unknown) throw newer(`The drawer (its schema has "${unknown.name}")`);
  }),
  ...migrations.map(({ name, up }) =>
    write((tx) => {
      if (tx.get('select 1 from migration where name = ?', [name])) return;
      up(tx);
      tx.run('insert into migration values (?)', [name]);
    }),
  ),
];
