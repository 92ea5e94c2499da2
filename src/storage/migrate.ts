import type { Migration, Tx } from '#base/tx.ts';

/** Brings the schema up to date: each migration that the drawer does not name runs once, in order, in a transaction of its own. */
export const migrate = (migrations: readonly Migration[], inTransaction: (work: (tx: Tx) => void) => void): void => {
  inTransaction((tx) => tx.run('create table if not exists migration (name text primary key)'));
  for (const { name, up } of migrations)
    inTransaction((tx) => {
      if (tx.get('select 1 from migration where name = ?', [name])) return;
      up(tx);
      tx.run('insert into migration values (?)', [name]);
    });
};
