/** What SQLite stores. Integers beyond 2^53 come back as bigint only where a column says so. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/**
 * One transaction on the drawer, handed to an operation. Everything is synchronous; a throw rolls all of it back.
 * Statements must be deterministic (no `random()`, no `current_timestamp`): the journal replays them with their parameters.
 */
export type Tx = {
  /** All rows of a query, as objects by column name. */
  all: <R>(sql: string, params?: readonly SqlValue[]) => R[];
  /** The first row, or undefined. */
  get: <R>(sql: string, params?: readonly SqlValue[]) => R | undefined;
  /** Runs one statement that changes something; answers the number of rows changed. */
  run: (sql: string, params?: readonly SqlValue[]) => number;
};

/**
 * A function that SQL can call with as many arguments as `run` declares. Deterministic, and without side effects that
 * another call could see.
 */
export type SqlFunction = { name: string; run: (...args: never[]) => SqlValue };

/** One step of the schema's history. The drawer records its number in its room's list; `name` says to a person what it does. */
export type Migration = { name: string; up: (tx: Tx) => void };
/** The steps of one room's tables, numbered from 1: the list is only ever appended to. */
export type RoomMigrations = { room: string; migrations: readonly Migration[] };

/**
 * What a room does with what was saved of a damaged drawer: checks what it holds, takes out what is not as it was, marks what
 * is lost, and answers that in words for a person. `at`: milliseconds since 1970; `lostWrites`: so many writes are missing;
 * `lostTables`: not all of whose rows could be read.
 */
export type Mend = (tx: Tx, found: { at: number; lostWrites: number; lostTables: readonly string[] }) => string[];

/**
 * What a room says of its tables to whoever looks after the drawer, in words for a person. `behind`: a full-text index of its
 * has not everything yet, so that SQLite's comparison of it with the content says nothing.
 */
export type Look = (tx: Tx) => { what: string; behind: boolean }[];
