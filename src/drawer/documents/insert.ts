// Stores a document's rows: in one piece or in several, which become visible together.
import { LoomError } from '#base/errors.ts';
import type { Data } from '#base/operation.ts';
import type { Tx } from '#base/tx.ts';
import { sessionOrThrow } from '#drawer/sessions/sessions.ts';
import type { Block, ChunkRow, Piece } from './blocks.ts';
import { findDocument, type NewDocument } from './documents.ts';
import { recordPath, type StoredFile } from './paths.ts';

/** The number is named in the journal, so that what is run again without a write that was lost gives the same one. */
const addRow = (tx: Tx, document: NewDocument): number => {
  const last = tx.get<{ seq: number }>("select seq from sqlite_sequence where name = 'document'");
  const id = (last?.seq ?? 0) + 1;
  tx.run(
    `insert into document (id, session, title, kind, source, bytes, lines, chunks, tokens, tokens_estimated, budget, anchor,
      focus, anchor_tokens, sha256, keep, redacted, stored_at, complete, indexed)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`,
    [
      id,
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
  return id;
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

export const addPiece = (tx: Tx, document: number, { blocks, chunks }: Piece): void => {
  for (const block of blocks) addBlock(tx, document, block);
  addChunks(tx, document, chunks);
};

export type StageArgs = { document: NewDocument; staged: number | undefined; piece: Piece };

/** Stores a piece of a large document, which stays invisible until `insertDocument`; answers what to call it by. */
export const stagePiece = (tx: Tx, args: StageArgs): number => {
  const id = rowFor(tx, args);
  addPiece(tx, id, args.piece);
  return id;
};

export type InsertArgs = StageArgs & {
  /** The file that it was read from. */
  file?: StoredFile | undefined;
  /** What the ledger records of it, in the same transaction. The drawer does not read it. */
  entry?: Data;
};
/** The answer to a write is remembered for a while: it holds nothing of the content, which may be purged sooner. */
export type Inserted = { id: number; duplicate: boolean };

/** Stores the last piece of a document (of most: the only one) and makes it visible. */
export const insertDocument = (tx: Tx, args: InsertArgs): Inserted => {
  const { document, file } = args;
  const same = findDocument(tx, document);
  const inserted = same ? { id: same.id, duplicate: true } : { id: insertLast(tx, args), duplicate: false };
  if (file) recordPath(tx, { document: inserted.id, session: document.session, file });
  return inserted;
};

/** The last piece, and with it the whole document. */
const insertLast = (tx: Tx, args: InsertArgs): number => {
  const { document } = args;
  const id = rowFor(tx, args);
  addPiece(tx, id, args.piece);
  const held = tx.get<{ bytes: number }>('select coalesce(sum(bytes), 0) as bytes from chunk where document = ?', [id]);
  if (held?.bytes !== document.bytes) {
    throw new LoomError('INTERNAL', `${held?.bytes} of ${document.bytes} bytes reached the drawer; nothing was kept.`);
  }
  tx.run('update document set complete = 1 where id = ?', [id]);
  return id;
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
