import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import initSqlJs, { type Database } from 'sql.js';
import type { SqlFunction, SqlValue, Tx } from '#base/tx.ts';

// A bundle finds the copy beside itself; the sources use the package's own.
const wasmFile = (): string =>
  import.meta.filename.endsWith('.ts')
    ? createRequire(import.meta.filename).resolve('sql.js/dist/sql-wasm.wasm')
    : join(import.meta.dirname, 'sql-wasm.wasm');

let loaded: ReturnType<typeof initSqlJs> | undefined;

/** A database in memory: empty, or `image`. */
export const openDatabase = async (
  image: Uint8Array | undefined,
  functions: readonly SqlFunction[],
): Promise<Database> => {
  // sql.js takes an ArrayBuffer of its own; a small Buffer would be a view into a shared pool.
  loaded ??= initSqlJs({ wasmBinary: new Uint8Array(readFileSync(wasmFile())).buffer });
  const sql = await loaded;
  const database = new sql.Database(image);
  // There is no file behind it: SQLite's own journal only has to undo a statement or a transaction.
  database.run('pragma journal_mode=memory; pragma synchronous=off; pragma foreign_keys=on; pragma temp_store=memory');
  for (const { name, run } of functions) database.create_function(name, run as never);
  return database;
};

/** The statements of one transaction on `database`. Prepared statements are not kept: `export()` would free them. */
export const transaction = (database: Database): Tx => {
  const all = <R>(sql: string, params: readonly SqlValue[] = []): R[] => {
    const statement = database.prepare(sql);
    try {
      statement.bind(params as never);
      const rows: R[] = [];
      while (statement.step()) rows.push(statement.getAsObject() as R);
      return rows;
    } finally {
      statement.free();
    }
  };
  return {
    all,
    get: (sql, params) => all<never>(sql, params)[0],
    run: (sql, params = []) => {
      database.run(sql, params as never);
      return database.getRowsModified();
    },
  };
};
