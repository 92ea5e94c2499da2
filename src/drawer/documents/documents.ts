// Documents as they are stored: their rows, and who may read which.
import { LoomError } from '#base/errors.ts';
import type { Tx } from '#base/tx.ts';
import type { DocumentInfo, Source } from '#drawer/contents.ts';
import { documentId } from '#drawer/ids.ts';
import { isOutdated, standingOf, type Standing } from './paths.ts';
import { epitaph, tombstoneOf } from './tombstones.ts';

/** What is known of a document before it is stored. */
export type NewDocument = Omit<DocumentInfo, 'id'> & {
  /** The budget that the anchor was made for. */
  budget: number;
  /** The anchor's body as UTF-8; empty where the content itself is shown instead. */
  anchor: Uint8Array;
  /** A line worth looking at first, from 1. */
  focus: number;
};
export type StoredDocument = NewDocument & { id: number };

/** All columns but the anchor, which makes a row large, and what belongs to it. */
export const infoColumns = `id, session, title, kind, source, bytes, lines, chunks, tokens, tokens_estimated as tokensEstimated,
  anchor_tokens as anchorTokens, sha256, keep, redacted, stored_at as storedAt`;
const allColumns = `${infoColumns}, budget, anchor, focus`;

export type InfoRow = Omit<DocumentInfo, 'id' | 'source' | 'keep' | 'tokensEstimated'> & {
  id: number;
  source: string;
  keep: number;
  tokensEstimated: number;
};
type Row = InfoRow & Omit<StoredDocument, keyof DocumentInfo>;

const fromColumns = ({ source, keep, tokensEstimated }: InfoRow) => ({
  source: JSON.parse(source) as Source,
  keep: keep === 1,
  tokensEstimated: tokensEstimated === 1,
});
const fromRow = (row: Row): StoredDocument => ({ ...row, ...fromColumns(row) });
export const infoFromRow = (row: InfoRow): DocumentInfo => ({ ...row, ...fromColumns(row), id: documentId(row.id) });

/** The visible document of these bytes in a session. */
export const findDocument = (
  tx: Tx,
  { session, sha256 }: { session: string; sha256: string },
): StoredDocument | undefined => {
  const row = tx.get<Row>(`select ${allColumns} from document where session = ? and sha256 = ? and complete = 1`, [
    session,
    sha256,
  ]);
  return row && fromRow(row);
};

/** The visible document of these bytes in a session, and how it stands to its files. */
export const findSame = (
  tx: Tx,
  args: { session: string; sha256: string },
): { same: StoredDocument; standing: Standing } | { same: undefined; standing: undefined } => {
  const same = findDocument(tx, args);
  return same ? { same, standing: standingOf(tx, same.id) } : { same, standing: undefined };
};

/** The visible document `document`, if `session` may read it (undefined: a person, who may read all). */
export const documentOrThrow = (tx: Tx, document: number, session: string | undefined): StoredDocument => {
  const row = tx.get<Row>(`select ${allColumns} from document where id = ? and complete = 1`, [document]);
  if (row && (session === undefined || row.session === session)) return fromRow(row);
  const id = documentId(document);
  if (row) {
    throw new LoomError(
      'OTHER_SESSION',
      `${id} belongs to session ${row.session}, whose content is not served to this one. ` +
        `A copy comes over with ctx_transfer ${JSON.stringify({ ids: [id], from_session: row.session })}.`,
    );
  }
  const tombstone = tombstoneOf(tx, document);
  if (tombstone) throw new LoomError('NOT_FOUND', epitaph(tombstone));
  const newest = tx.get<{ id: number | null }>(
    'select max(id) as id from (select id from document where complete = 1 union all select document from tombstone)',
  )?.id;
  throw new LoomError(
    'NOT_FOUND',
    `${id} was never given out (${newest ? `the newest id is ${documentId(newest)}` : 'the drawer is empty'}). ` +
      'Find ids with ctx_search.',
  );
};

/** A document with its anchor, and how many of its chunks stand in the index. */
export const documentRow = (
  tx: Tx,
  { document: id, session }: { document: number; session?: string | undefined },
): { document: StoredDocument; indexed: number } => ({
  document: documentOrThrow(tx, id, session),
  indexed: tx.get<{ indexed: number }>('select indexed from document where id = ?', [id])?.indexed ?? 0,
});

/** Anchors of a session's documents, or of one of them, from behind document `after`. Empty for what was shown whole. */
export const listAnchors = (
  tx: Tx,
  { session, document, after, most }: { session: string; document?: number | undefined; after: number; most: number },
): { id: number; title: string; anchor: Uint8Array }[] =>
  tx.all(
    `select id, title, anchor from document
      where complete = 1 and session = ?1 and (?2 is null or id = ?2) and id > ?3 order by id limit ?4`,
    [session, document ?? null, after, most],
  );

/** Documents, newest first. */
export const listDocuments = (
  tx: Tx,
  { session, limit }: { session?: string | undefined; limit: number },
): DocumentInfo[] =>
  tx
    .all<InfoRow>(
      `select ${infoColumns} from document where complete = 1 and (?1 is null or session = ?1) order by id desc limit ?2`,
      [session ?? null, limit],
    )
    .map(infoFromRow);

/** Documents of one title that are told of. */
const mostNamed = 10;

/**
 * The newest documents of a session (undefined: of all) that have this title, or, where none has, whose path ends with it.
 * `title` is as a person wrote it.
 */
export const titledDocuments = (
  tx: Tx,
  { session, title }: { session?: string | undefined; title: string },
): { id: number; title: string }[] => {
  const where = `complete = 1 and (?1 is null or session = ?1) and not ${isOutdated}`;
  const rows = (condition: string) =>
    tx.all<{ id: number; title: string }>(
      `select id, title from document where ${where} and ${condition} order by id desc limit ${mostNamed}`,
      [session ?? null, title],
    );
  const named = (condition: (title: string) => string): string =>
    `(${condition('title')} or exists (select 1 from document_path own
      where own.document = document.id and ${condition('own.title')}))`;
  const exact = rows(named((of) => `${of} = ?2`));
  return exact.length > 0 ? exact : rows(named((of) => `substr(${of}, -1 - length(?2)) = '/' || ?2`));
};

/** The ids of what some sessions hold, in their order. */
export const documentsIn = (tx: Tx, { sessions, most }: { sessions: readonly string[]; most: number }): number[] =>
  tx
    .all<{ id: number }>(
      'select id from document where complete = 1 and session in (select value from json_each(?)) order by id limit ?',
      [JSON.stringify(sessions), most],
    )
    .map(({ id }) => id);

export const documentInfo = ({
  budget: _budget,
  anchor: _anchor,
  focus: _focus,
  ...info
}: StoredDocument): DocumentInfo => ({
  ...info,
  id: documentId(info.id),
});
