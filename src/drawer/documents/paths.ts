// The paths that documents were stored from: what a file's newest version is, and by which names the same bytes are known.
import type { Tx } from '#base/tx.ts';

/** A file at the moment at which it was stored: `modified` in milliseconds since 1970. */
export type StoredFile = { path: string; title: string; size: number | undefined; modified: number | undefined };

/** What a document's files say of it. */
export type Standing = {
  /** The document that was stored last from its path; undefined where it is that itself for one of its paths. */
  newer: number | undefined;
  /** The files whose newest version it is, the one that was stored last first. */
  files: StoredFile[];
  /** The names of all its files, in the order in which they came. */
  names: string[];
};

/** True of a row of `document` where each of its paths was stored again since, with other bytes. */
export const isOutdated = `(exists (select 1 from document_path own where own.document = document.id)
  and not exists (select 1 from document_path own where own.document = document.id and not exists
    (select 1 from document_path later where later.session = own.session and later.path = own.path and later.id > own.id)))`;

type RecordArgs = { document: number; session: string; file: StoredFile };

/** The document is what its path holds now. */
export const recordPath = (tx: Tx, { document, session, file }: RecordArgs): void => {
  tx.run('delete from document_path where document = ? and path = ?', [document, file.path]);
  tx.run('insert into document_path (session, path, title, document, size, modified) values (?, ?, ?, ?, ?, ?)', [
    session,
    file.path,
    file.title,
    document,
    file.size ?? null,
    file.modified ?? null,
  ]);
};

/** Documents whose rows here are gone stand for their first path again, in the order in which they came. */
export const restorePaths = (tx: Tx): void => {
  tx.run(`insert into document_path (session, path, title, document)
    select session, source ->> '$.path', title, id from document
      where complete = 1 and source ->> '$.kind' in ('file', 'editor')
        and not exists (select 1 from document_path own where own.document = document.id) order by id`);
};

type Row = { path: string; title: string; size: number | null; modified: number | null; newest: number };

export const standingOf = (tx: Tx, document: number): Standing => {
  const rows = tx.all<Row>(
    `select path, title, size, modified, (select document from document_path later
        where later.session = own.session and later.path = own.path order by id desc limit 1) as newest
      from document_path own where document = ? order by id`,
    [document],
  );
  const files = rows
    .filter(({ newest }) => newest === document)
    .map(({ path, title, size, modified }) => ({
      path,
      title,
      size: size ?? undefined,
      modified: modified ?? undefined,
    }))
    .toReversed();
  const newer = files.length > 0 ? undefined : rows.at(-1)?.newest;
  return { newer, files, names: Array.from(new Set(rows.map(({ title }) => title))) };
};

export const standings = (tx: Tx, { documents }: { documents: readonly number[] }): Standing[] =>
  documents.map((document) => standingOf(tx, document));
