import { LoomError } from '#base/errors.ts';
import type { Data } from '#base/operation.ts';
import type { Tx } from '#base/tx.ts';
import type { Block, ChunkRow, Piece } from './blocks.ts';
import { documentId } from '#drawer/ids.ts';
import type { DocumentInfo, Kind, Source } from '#drawer/types.ts';
import { sessionOrThrow } from '#drawer/sessions/sessions.ts';
import { epitaph, tombstoneOf } from '#drawer/sessions/tombstones.ts';

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

const addRow = (tx: Tx, document: NewDocument): number => {
  tx.run(
    `insert into document (session, title, kind, source, bytes, lines, chunks, tokens, tokens_estimated, budget, anchor,
      focus, anchor_tokens, sha256, keep, redacted, stored_at, complete, indexed)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`,
    [
      document.session,
      document.title,
      document.kind,
      JSON.stringify(document.source),
      document.bytes,
      document.lines,
      document.chunks,
      document.tokens,
      Number(document.tokensEstimated),
      document.budget,
      document.anchor,
      document.focus,
      document.anchorTokens,
      document.sha256,
      Number(document.keep),
      document.redacted,
      document.storedAt,
    ],
  );
  const added = tx.get<{ id: number }>('select last_insert_rowid() as id');
  return added?.id ?? 0;
};

const addBlock = (tx: Tx, document: number, { number, offset, data }: Block): void => {
  tx.run('insert into block values (?, ?, ?, ?)', [document, number, offset, data]);
};

/** One statement for all of them: thousands of prepared inserts would take longer than an operation may. */
const addChunks = (tx: Tx, document: number, chunks: readonly ChunkRow[]): void => {
  tx.run(
    `insert into chunk (id, document, number, block, offset, bytes, line)
      select (?1 << 20) + (value ->> 0), ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
        from json_each(?2)`,
    [document, JSON.stringify(chunks)],
  );
};

/** Where the pieces of a document go: to its row, made with the first piece. */
const rowFor = (tx: Tx, { document, staged }: Omit<StageArgs, 'piece'>): number => {
  sweep(tx, document.storedAt);
  sessionOrThrow(tx, document.session);
  if (staged === undefined) return addRow(tx, document);
  if (tx.get('select 1 from document where id = ? and complete = 0', [staged])) return staged;
  throw new LoomError('DEADLINE', 'This store took so long that its parts were swept; nothing was kept. Call again.');
};

const addPiece = (tx: Tx, document: number, { blocks, chunks }: Piece): void => {
  for (const block of blocks) addBlock(tx, document, block);
  addChunks(tx, document, chunks);
};

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

export type StageArgs = { document: NewDocument; staged: number | undefined; piece: Piece };

/** Stores a piece of a large document, which stays invisible until `insertDocument`; answers what to call it by. */
export const stagePiece = (tx: Tx, args: StageArgs): number => {
  const id = rowFor(tx, args);
  addPiece(tx, id, args.piece);
  return id;
};

export type InsertArgs = StageArgs & {
  /** What the ledger keeps of it, in the same transaction. The drawer does not read it. */
  entry?: Data;
};
/** The answer to a write is kept for a while: it holds nothing of the content, which may be purged sooner. */
export type Inserted = { id: number; duplicate: boolean };

/** Stores the last piece of a document (of most: the only one) and makes it visible. */
export const insertDocument = (tx: Tx, args: InsertArgs): Inserted => {
  const { document } = args;
  const same = findDocument(tx, document);
  if (same) return { id: same.id, duplicate: true };
  const id = rowFor(tx, args);
  addPiece(tx, id, args.piece);
  const held = tx.get<{ bytes: number }>('select coalesce(sum(bytes), 0) as bytes from chunk where document = ?', [id]);
  if (held?.bytes !== document.bytes) {
    throw new LoomError('INTERNAL', `${held?.bytes} of ${document.bytes} bytes reached the drawer; nothing was kept.`);
  }
  tx.run('update document set complete = 1 where id = ?', [id]);
  return { id, duplicate: false };
};

/** A store that has not ended after this long was interrupted. */
const staleMs = 3_600_000;
/** Blocks swept with one insert; the rest goes with the next ones. */
const sweptBlocks = 64;

/** Removes what interrupted stores left. It was never visible and stands in no index. */
const sweep = (tx: Tx, now: number): void => {
  const stale = tx.get<{ id: number }>('select id from document where complete = 0 and stored_at < ? order by id', [
    now - staleMs,
  ]);
  if (!stale) return;
  const blocks = tx.all<{ number: number }>(
    'select number from block where document = ? order by number desc limit ?',
    [stale.id, sweptBlocks + 1],
  );
  const from = blocks.length > sweptBlocks ? (blocks[sweptBlocks - 1]?.number ?? 0) : 0;
  tx.run('delete from chunk where document = ? and block >= ?', [stale.id, from]);
  tx.run('delete from block where document = ? and number >= ?', [stale.id, from]);
  if (from === 0) tx.run('delete from document where id = ?', [stale.id]);
};

export const keepDocument = (tx: Tx, { document }: { document: number }): void => {
  tx.run('update document set keep = 1 where id = ?', [document]);
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
