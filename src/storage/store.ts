import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'sql.js';
import type { Call, Operation, Operations } from '#base/operation.ts';
import type { Migration, SqlFunction, Tx } from '#base/tx.ts';
import { inSlices } from '#base/slices.ts';
import { openDatabase, transaction } from './database.ts';
import { migrate } from './migrate.ts';

export type StoreOptions<O extends Operations> = {
  /** The drawer's folder; made where it is missing. */
  folder: string;
  operations: O;
  migrations: readonly Migration[];
  functions: readonly SqlFunction[];
  /** Called after every commit, whoever made it. */
  onChange?: () => void;
};

export type StoreHealth = { folder: string; imageBytes: number };

export type Store<O extends Operations> = {
  call: Call<O>;
  health: () => Promise<StoreHealth>;
  close: () => Promise<void>;
};

const load = (file: string): Uint8Array | undefined => {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Opens the drawer in `folder`: its whole state in memory, and one atomic snapshot on disk after every write. */
export const openStore = async <O extends Operations>(options: StoreOptions<O>): Promise<Store<O>> => {
  const file = join(options.folder, 'drawer.sqlite');
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const database = await openDatabase(load(file), options.functions);
  let imageBytes = 0;
  const save = (): void => {
    const image = database.export();
    imageBytes = image.length;
    writeFileSync(`${file}.tmp`, image, { mode: 0o600, flush: true });
    renameSync(`${file}.tmp`, file);
    options.onChange?.();
  };
  migrate(options.migrations, (work) => inTransaction(database, work));
  save();
  const run = async (operation: Operation, args: never): Promise<unknown> => {
    if (operation.kind === 'read') return operation.run(transaction(database), args);
    if (operation.kind === 'job') {
      const result = await inSlices(operation.run(transaction(database), args));
      save();
      return result;
    }
    const result = inTransaction(database, (tx) => operation.run(tx, args));
    save();
    return result;
  };
  return {
    call: ((name: string, args: never) => run(options.operations[name] as Operation, args)) as Call<O>,
    health: async () => ({ folder: options.folder, imageBytes }),
    close: async () => database.close(),
  };
};

const inTransaction = <R>(database: Database, work: (tx: Tx) => R): R => {
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
