import type { Call } from '#base/operation.ts';
import type { Tx } from '#base/tx.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { Image } from '#storage/image.ts';
import { migrationSteps } from '#storage/migrate.ts';

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
  const image = await Image.open(undefined, []);
  const inTransaction = <R>(work: (tx: Tx) => R): R => {
    image.run('begin');
    try {
      const result = work(image.tx(() => undefined));
      image.run('commit');
      return result;
    } catch (error) {
      image.run('rollback');
      throw error;
    }
  };
  for (const { run } of migrationSteps([{ room: 'ledger', migrations: ledgerMigrations }]))
    inTransaction((tx) => run(tx, undefined));
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
