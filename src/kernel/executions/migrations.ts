// The tables of executions.
import type { Migration } from '#base/tx.ts';

/** The name that a file had before its record held it. */
const derivedName = (session: string, execution: number): string =>
  `${session.replaceAll(/[^\w-]/g, '_')}-${execution}.output`;

export const kernelMigrations: readonly Migration[] = [
  {
    name: 'kernel: executions',
    up: (tx) => {
      tx.run('create table execution_counter (session text primary key, last integer not null)');
      tx.run(`create table execution (
        session text not null, number integer not null, info text not null, host text not null, pid integer not null,
        entries text, file text, bytes integer not null, gone_at integer, primary key (session, number))`);
    },
  },
  {
    name: 'kernel: keys of outputs',
    up: (tx) => {
      tx.run('alter table execution add column key blob');
    },
  },
  {
    name: 'kernel: files from the beginning, processes, purges',
    up: (tx) => {
      tx.run('alter table execution add column started text');
      // What ran when its process was killed has a file that its record does not name.
      const running = tx.all<{ session: string; number: number }>(
        `select session, number from execution where file is null and json_extract(info, '$.status') = 'running'`,
      );
      for (const { session, number } of running)
        tx.run('update execution set file = ? where session = ? and number = ?', [
          derivedName(session, number),
          session,
          number,
        ]);
      // Up to `last` a session's numbers were purged at `at`.
      tx.run(
        'create table execution_purge (session text not null, last integer not null, at integer not null, primary key (session, last))',
      );
    },
  },
];
