/** sql.js: SQLite in WebAssembly, a database in memory. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import initSqlJs, { type Database } from 'sql.js';
import type { SqlFunction } from '#base/tx.ts';

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
  // sql.js takes an ArrayBuffer of its own; a small Buffer would be a view into a shared pool. Loaded at the first need:
  // a member that is only ever a client never pays for it.
  loaded ??= initSqlJs({ wasmBinary: new Uint8Array(readFileSync(wasmFile())).buffer });
  const sql = await loaded;
  const database = new sql.Database(image);
  // There is no file behind it: SQLite's own journal only has to undo a statement or a transaction. What is deleted is
  // overwritten, so that purged content is not found in the pages of a later snapshot.
  database.run(
    'pragma journal_mode=memory; pragma synchronous=off; pragma foreign_keys=on; pragma temp_store=memory;' +
      'pragma cache_size=-16000; pragma secure_delete=on',
  );
  for (const { name, run } of functions) database.create_function(name, run as never);
  return database;
};

/** Names `database` to another one, which can attach it: all of them lie in the file system of the one WebAssembly. */
export const nameOf = (database: Database): string => (database as Database & { filename: string }).filename;
