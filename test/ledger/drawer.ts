import type { Call } from '#base/operation.ts';
import type { Tx } from '#base/tx.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { openDatabase, transaction } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';

export type TestDrawer = {
  call: Call<typeof ledgerOperations>;
  /** Runs `work` as another part's operation would. */
  inTransaction: <R>(work: (tx: Tx) => R) => R;
  /** Operations run so far, by name. */
  ran: string[];
  /** Makes every write fail until it is undefined again. */
  failure: Error | undefined;
};

/** A drawer in memory with the ledger's tables and operations. Arguments and results travel as copies, as they do. */
export const openTestDrawer = async (): Promise<TestDrawer> => {
  const database = await openDatabase(undefined, []);
  const inTransaction = <R>(work: (tx: Tx) => R): R => {
    database.run('begin');
    try {
      const result = work(transaction(database));
      database.run('commit');
      return result;
    } catch (error) {
      database.run('rollback');
      throw error;
    }
  };
  migrate(ledgerMigrations, inTransaction);
  const drawer: TestDrawer = {
    inTransaction,
    ran: [],
    failure: undefined,
    call: (async (name: keyof typeof ledgerOperations, args: never) => {
      drawer.ran.push(name);
      const { kind, run } = ledgerOperations[name];
      if (kind === 'write' && drawer.failure) throw drawer.failure;
      return structuredClone(inTransaction((tx) => run(tx, structuredClone(args))));
    }) as Call<typeof ledgerOperations>,
  };
  return drawer;
};
