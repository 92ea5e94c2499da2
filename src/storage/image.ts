/**
 * The drawer in memory: sql.js with its prepared statements kept. INVARIANT: what changes the image is recorded, statement
 * by statement, in the order in which it ran; a replay of the records makes the same image.
 */
import type { Database, Statement as Prepared } from 'sql.js';
import { LoomError } from '#base/errors.ts';
import type { SqlFunction, SqlValue, Tx } from '#base/tx.ts';
import { openDatabase } from './database.ts';
import type { Statement } from '#storage/file/journal.ts';

const mostStatements = 200;
const reads = /^\s*(?:select|with|values|pragma|explain)\b/i;
const counts = /^\s*(?:insert|update|delete|replace|with)\b/i;

export class Image {
  readonly #database: Database;
  readonly #statements = new Map<string, Prepared>();
  #open = true;
  #pageSize: number | undefined;
  private constructor(database: Database) {
    this.#database = database;
  }

  /** Takes over a database that nobody else uses. */
  static of(database: Database): Image {
    return new Image(database);
  }

  static async open(file: Uint8Array | undefined, functions: readonly SqlFunction[]): Promise<Image> {
    return new Image(await openDatabase(file, functions));
  }

  /** A transaction's statements. Those that change something go to `record`; without it they are refused. */
  tx(record?: (statement: Statement) => void): Tx {
    return {
      all: <R>(sql: string, params: readonly SqlValue[] = []): R[] => this.all<R>(sql, params),
      get: <R>(sql: string, params: readonly SqlValue[] = []): R | undefined => this.all<R>(sql, params)[0],
      run: (sql, params = []) => {
        if (!record) throw new LoomError('INTERNAL', 'a read may not change the drawer');
        const rows = this.run(sql, params);
        record([sql, params, rows]);
        return rows;
      },
    };
  }

  all<R>(sql: string, params: readonly SqlValue[] = []): R[] {
    if (!reads.test(sql)) throw new LoomError('INTERNAL', 'a statement that changes the drawer must go through run');
    const statement = this.#prepare(sql);
    const rows: R[] = [];
    try {
      statement.bind(params as never);
      let names: string[] | undefined;
      while (statement.step()) {
        const values = statement.get();
        names ??= statement.getColumnNames();
        rows.push(Object.fromEntries(names.map((name, i) => [name, values[i]])) as R);
      }
    } finally {
      statement.reset();
    }
    return rows;
  }

  /** Rows changed; 0 for a statement that defines something. Several statements may stand in `sql` if it has no params. */
  run(sql: string, params: readonly SqlValue[] = []): number {
    if (params.length === 0 && sql.includes(';')) this.#database.run(sql);
    else {
      const statement = this.#prepare(sql);
      try {
        statement.bind(params as never);
        while (statement.step());
      } finally {
        statement.reset();
      }
    }
    return counts.test(sql) ? this.#database.getRowsModified() : 0;
  }

  /** Length of the SQLite file that an export would make. */
  get fileBytes(): number {
    this.#pageSize ??= this.#pragma('page_size');
    return this.#pragma('page_count') * this.#pageSize;
  }

  /** Bytes of it in use, without the pages that are free. */
  get usedBytes(): number {
    const all = this.fileBytes;
    return all - this.#pragma('freelist_count') * (this.#pageSize ?? 0);
  }

  /** The SQLite file. It cannot be cut into slices: about 0.2 s for 50 MB. Not inside a transaction. */
  export(): Uint8Array {
    return this.#database.export();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#statements.clear();
    this.#database.close();
  }

  #pragma(name: 'page_size' | 'page_count' | 'freelist_count'): number {
    return this.all<Record<typeof name, number>>(`pragma ${name}`)[0]?.[name] ?? 0;
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= mostStatements) {
      for (const statement of this.#statements.values()) statement.free();
      this.#statements.clear();
    }
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
