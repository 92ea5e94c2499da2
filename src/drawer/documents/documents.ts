// Documents as they are stored: their rows, and who may read which.
import { LoomError } from '#base/errors.ts';
import type { Tx } from '#base/tx.ts';
import type { DocumentInfo, Kind, Source } from '#drawer/contents.ts';
import { documentId } from '#drawer/ids.ts';
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

type Row = {
  id: number;
  session: string;
  title: string;
  kind: Kind;
  source: string;
  bytes: number;
  lines: number;
  chunks: number;
  tokens: number;
  tokens_estimated: number;
  budget: number;
  anchor: Uint8Array;
  focus: number;
  anchor_tokens: number;
  sha256: string;
  keep: number;
  redacted: number;
  stored_at: number;
};

const fromRow = ({ tokens_estimated, anchor_tokens, stored_at, source, keep, ...same }: Row): StoredDocument => ({
  ...same,
  source: JSON.parse(source) as Source,
  tokensEstimated: tokens_estimated === 1,
  anchorTokens: anchor_tokens,
  keep: keep === 1,
  storedAt: stored_at,
});

/** The visible document of these bytes in a session. */
export const findDocument = (
  tx: Tx,
  { session, sha256 }: { session: string; sha256: string },
): StoredDocument | undefined => {
  const row = tx.get<Row>('select * from document where session = ? and sha256 = ? and complete = 1', [
    session,
    sha256,
  ]);
  return row && fromRow(row);
};

/** The visible document `document`, if `session` may read it (undefined: a person, who may read all). */
export const documentOrThrow = (tx: Tx, document: number, session: string | undefined): StoredDocument => {
  const row = tx.get<Row>('select * from document where id = ? and complete = 1', [document]);
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
    .all<Row>('select * from document where complete = 1 and (?1 is null or session = ?1) order by id desc limit ?2', [
      session ?? null,
      limit,
    ])
    .map((row) => documentInfo(fromRow(row)));

/** The ids of what some sessions hold, in their order. */
export const documentsIn = (tx: Tx, { sessions, most }: { sessions: readonly string[]; most: number }): number[] =>
  tx
    .all<{ id: number }>(
      'select id from document where complete = 1 and session in (select value from json_each(?)) order by id limit ?',
      [JSON.stringify(sessions), most],
    )
    .map(({ id }) => id);

export const documentInfo = (document: StoredDocument): DocumentInfo => ({
  id: documentId(document.id),
  session: document.session,
  title: document.title,
  kind: document.kind,
  source: document.source,
  bytes: document.bytes,
  lines: document.lines,
  chunks: document.chunks,
  tokens: document.tokens,
  tokensEstimated: document.tokensEstimated,
  anchorTokens: document.anchorTokens,
  sha256: document.sha256,
  keep: document.keep,
  redacted: document.redacted,
  storedAt: document.storedAt,
});
