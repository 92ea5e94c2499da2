// The drawer's tables, and their history.
import type { Migration } from '#base/tx.ts';

/*
 * A chunk's id is its document's times 2^20 plus its number: the index knows nothing else of a chunk.
 * A document is visible when `complete` is 1. Until then its rows belong to a store that is under way or was interrupted;
 * at 2 it was removed, and its rows wait to be erased; at 3 only its words in the index do.
 * `indexed` is how many of its chunks, from the first, stand in the full-text index.
 * Content lies in BLOBs only: TEXT ends at a NUL and cannot hold every string.
 */
export const createIndex =
  'create virtual table chunk_index using fts4 (content="chunk_text", text, x, tokenize=unicode61)';
/** Else FTS4 merges sixteen segments at once now and then, which holds everybody up. */
export const mergeLittleByLittle = "insert into chunk_index (chunk_index) values ('automerge=2')";

const tables = [
  `create table session (
    id text primary key,
    client text not null,
    root text not null,
    created_at integer not null,
    used_at integer not null,
    unique (client, root))`,
  `create table document (
    id integer primary key autoincrement,
    session text not null references session (id),
    title text not null,
    kind text not null,
    source text not null,
    bytes integer not null,
    lines integer not null,
    chunks integer not null,
    tokens integer not null,
    tokens_estimated integer not null,
    budget integer not null,
    anchor blob not null,
    focus integer not null,
    anchor_tokens integer not null,
    sha256 text not null,
    keep integer not null,
    stored_at integer not null,
    complete integer not null,
    indexed integer not null)`,
  'create unique index document_by_bytes on document (session, sha256) where complete = 1',
  'create index document_to_sweep on document (stored_at) where complete = 0',
  'create index document_to_index on document (id) where complete = 1 and indexed < chunks',
  `create table block (
    document integer not null references document (id),
    number integer not null,
    offset integer not null,
    data blob not null,
    primary key (document, number))`,
  `create table chunk (
    id integer primary key,
    document integer not null references document (id),
    number integer not null,
    block integer not null,
    offset integer not null,
    bytes integer not null,
    line integer not null)`,
  'create index chunk_by_offset on chunk (document, offset)',
  'create index chunk_by_line on chunk (document, line, number)',
  // The index holds no copy of the text. To delete a row it reads the text here: delete there first, then the content.
  `create view chunk_text (rowid, document, number, text, x) as
    select id, document, number, text, drawer_terms(text) from (
      select chunk.id, chunk.document, chunk.number,
        drawer_text(block.data, chunk.offset - block.offset, chunk.bytes) as text
      from chunk join block on block.document = chunk.document and block.number = chunk.block)`,
  createIndex,
];

const removal = [
  // No reference to the document: its row goes, the tombstone stays.
  `create table tombstone (
    document integer primary key,
    reason text not null,
    at integer not null,
    successor integer)`,
  'create index document_to_erase on document (id) where complete >= 2',
  'create index document_by_session on document (session, complete)',
  'alter table document add column redacted integer not null default 0',
  "alter table session add column profile text not null default 'strict'",
];

/** All that lists filter by, in their order: without it a list of 100,000 documents reads every row's anchor. */
const listing = 'create index document_listed on document (id, session, kind, title) where complete = 1';

/*
 * Of one session and path, the row with the highest id is what the file held when it was stored last. A document has a row
 * for each path that its bytes were stored from. `size` and `modified` are the file's then; null where nobody looked.
 */
const paths = [
  `create table document_path (
    id integer primary key autoincrement,
    session text not null,
    path text not null,
    title text not null,
    document integer not null,
    size integer,
    modified integer)`,
  'create index document_path_versions on document_path (session, path, id)',
  'create index document_path_of on document_path (document)',
  `insert into document_path (session, path, title, document)
    select session, source ->> '$.path', title, id from document
      where complete = 1 and source ->> '$.kind' in ('file', 'editor') order by id`,
];

/** The history of the drawer's own tables. Only ever appended to. */
export const drawerMigrations: Migration[] = [
  {
    name: 'drawer 1: sessions, documents, chunks and their index',
    up: (tx) => {
      for (const table of tables) tx.run(table);
    },
  },
  {
    name: 'drawer 2: tombstones, redactions, profiles',
    up: (tx) => {
      for (const statement of removal) tx.run(statement);
    },
  },
  {
    name: 'drawer 3: the index is merged little by little',
    up: (tx) => {
      tx.run(mergeLittleByLittle);
    },
  },
  {
    name: 'drawer 4: lists of documents',
    up: (tx) => {
      tx.run(listing);
    },
  },
  {
    name: 'drawer 5: paths, with a version of each for every time that it was stored',
    up: (tx) => {
      for (const statement of paths) tx.run(statement);
    },
  },
];
