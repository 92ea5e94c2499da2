/**
 * Saves the rows of a SQLite file some of whose pages are damaged, into a new one. INVARIANTS
 * 1. Every row that SQLite can read is saved, whatever stands before and behind it.
 * 2. Nobody vouches for what is in a row that lies on a damaged page: whoever owns its table has to.
 */
import type { Database, SqlValue } from 'sql.js';
import type { SqlFunction } from '#base/tx.ts';
import { nameOf, openDatabase } from '#storage/database.ts';
import { Image } from '#storage/image.ts';

type Part = { type: string; name: string; sql: string };
type Table = { name: string; rowid: boolean; columns: string[] };

/** Rows that are copied by one statement. */
const spanRows = 256;
/** Above every row's number. */
const beyond = 2 ** 53;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const rows = (database: Database, sql: string, params: SqlValue[] = []): SqlValue[][] => {
  const statement = database.prepare(sql, params);
  try {
    const found: SqlValue[][] = [];
    while (statement.step()) found.push(statement.get());
    return found;
  } finally {
    statement.free();
  }
};

/** What `work` answers; undefined where SQLite finds damage in its way. */
const attempt = <R>(work: () => R): R | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

class Rescue {
  readonly #database: Database;
  /** Tables not all of whose rows could be read. */
  readonly lost = new Set<string>();

  /** `database`: a new one, to which the other is attached as `damaged`. */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws where not even the schema can be read. */
  run(): void {
    const parts = rows(
      this.#database,
      `select type, name, sql from damaged.sqlite_master where sql is not null and name not like 'sqlite\\_%' escape '\\'`,
    ).map(([type, name, sql]) => ({ type, name, sql }) as Part);
    const isVirtual = ({ sql }: Part): boolean => /^create virtual/i.test(sql);
    this.#create(parts.filter(({ type }) => type === 'view'));
    this.#create(parts.filter(isVirtual));
    // A virtual table's own tables are there by now.
    const tables = parts.filter((part) => part.type === 'table' && !isVirtual(part));
    this.#create(
      tables.filter(
        ({ name }) => rows(this.#database, 'select 1 from main.sqlite_master where name = ?', [name]).length === 0,
      ),
    );
    for (const { name } of tables) this.#copyTable(this.#tableNamed(name));
    this.#copyCounters();
    this.#create(parts.filter(({ type }) => type === 'index' || type === 'trigger'));
  }

  #create(parts: readonly Part[]): void {
    for (const { sql } of parts) this.#database.run(sql);
  }

  #tableNamed(name: string): Table {
    const columns = rows(this.#database, 'select name, type, pk from pragma_table_info(?)', [name]);
    const [withoutRowid] =
      rows(this.#database, "select wr from pragma_table_list where schema = 'main' and name = ?", [name])[0] ?? [];
    const keys = columns.filter(([, , pk]) => Number(pk) > 0);
    // That column is the row's number under another name.
    const isNumber = ([, type, pk]: SqlValue[]): boolean =>
      keys.length === 1 && Number(pk) === 1 && /^integer$/i.test(String(type));
    return {
      name,
      rowid: withoutRowid !== 1,
      columns: columns.filter((column) => !isNumber(column)).map(([column]) => quoted(String(column))),
    };
  }

  #copyTable(table: Table): void {
    this.#database.run(`delete from main.${quoted(table.name)}`);
    if (!table.rowid) return this.#copyWhole(table);
    for (let after = -beyond; ;) {
      const numbers = this.#numbers(table, after);
      if (numbers === undefined) {
        this.lost.add(table.name);
        const next = this.#nextReadable(table, after);
        if (next === undefined) return;
        // The first row behind the damage may be reached by its own number alone.
        this.#copySpan(table, [next]);
        after = next;
        continue;
      }
      if (numbers.length === 0) return;
      this.#copySpan(table, numbers);
      after = numbers.at(-1)!;
    }
  }

  /** Without row numbers there is no way behind a damaged page. Only small tables have none. */
  #copyWhole({ name }: Table): void {
    if (
      attempt(() => this.#database.run(`insert into main.${quoted(name)} select * from damaged.${quoted(name)}`)) ===
      undefined
    )
      this.lost.add(name);
  }

  /** Numbers of the rows behind `after`; undefined where the tree cannot be read there. */
  #numbers({ name }: Table, after: number): number[] | undefined {
    const sql = `select rowid from damaged.${quoted(name)} not indexed where rowid > ? order by rowid limit ?`;
    for (let most = spanRows; most >= 1; most = Math.floor(most / 2)) {
      const found = attempt(() => rows(this.#database, sql, [after, most]));
      if (found) return found.map(([number]) => Number(number));
    }
    return undefined;
  }

  #copySpan(table: Table, numbers: readonly number[]): void {
    const name = quoted(table.name);
    const columns = ['rowid', ...table.columns].join(', ');
    const sql = `insert or ignore into main.${name} (${columns}) select ${columns} from damaged.${name} not indexed where rowid between ? and ?`;
    if (attempt(() => this.#database.run(sql, [numbers[0]!, numbers.at(-1)!]))) return;
    if (numbers.length === 1) return void this.lost.add(table.name);
    const half = numbers.length >> 1;
    this.#copySpan(table, numbers.slice(0, half));
    this.#copySpan(table, numbers.slice(half));
  }

  /** The least number behind which rows can be read again: found by steps that double, then between the last two. */
  #nextReadable({ name }: Table, after: number): number | undefined {
    const sql = `select rowid from damaged.${quoted(name)} not indexed where rowid > ? order by rowid limit 1`;
    const readable = (from: number): boolean => attempt(() => rows(this.#database, sql, [from])) !== undefined;
    let low = after;
    let high = after + 1;
    for (let step = 1; !readable(high); step *= 2) {
      if (high >= beyond) return undefined;
      low = high;
      high = Math.min(beyond, high + step);
    }
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2);
      if (readable(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  /** Numbers that were given out once are not given out again. */
  #copyCounters(): void {
    const [counters] = rows(this.#database, "select 1 from main.sqlite_master where name = 'sqlite_sequence'");
    if (counters === undefined) return;
    const saved = attempt(() => rows(this.#database, 'select name, seq from damaged.sqlite_sequence'));
    if (saved === undefined) return void this.lost.add('sqlite_sequence');
    this.#database.run('delete from main.sqlite_sequence');
    for (const row of saved) this.#database.run('insert into main.sqlite_sequence values (?, ?)', row);
  }
}

/** A new image with what can be read of `file`, and the tables that are not whole. Throws where nothing can be read. */
export const rescue = async (
  file: Uint8Array,
  functions: readonly SqlFunction[],
): Promise<{ image: Image; lostTables: string[] }> => {
  const damaged = await openDatabase(file, functions);
  const saved = await openDatabase(undefined, functions);
  try {
    saved.run(`pragma foreign_keys=off; attach '${nameOf(damaged)}' as damaged`);
    const work = new Rescue(saved);
    work.run();
    saved.run('detach damaged; pragma foreign_keys=on');
    return { image: Image.of(saved), lostTables: [...work.lost] };
  } catch (error) {
    saved.close();
    throw error;
  } finally {
    damaged.close();
  }
};
