// What the drawer does with what was saved of a damaged file: every document whose SHA-256 holds stays, the others are marked as lost.
import { createHash } from 'node:crypto';
import { counted } from '#base/text.ts';
import type { Look, Mend, Tx } from '#base/tx.ts';
import { documentId } from '#drawer/ids.ts';
import { resetIndex } from '#drawer/index/fullText.ts';
import { indexLines } from '#text/lines.ts';
import { decompress, pieces, type ChunkRow } from './blocks.ts';
import { cutChunks } from './chunks.ts';
import { addPiece } from './insert.ts';
import { restorePaths } from './paths.ts';
import type { Reason } from './tombstones.ts';

type Row = { id: number; title: string; sha256: string; bytes: number; chunks: number };

const newline = 10;
/** Ids that are held back at most: far more than a journal has writes. */
const mostHeldBack = 100_000;
const mostNamed = 200;

const drain = <R>(steps: Generator<void, R>): R => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** The content of a document as its SHA-256 vouches for it; undefined where it does not. */
const contentOf = (tx: Tx, { id, sha256 }: Row): Buffer | undefined => {
  const blocks = tx.all<{ data: Uint8Array }>('select data from block where document = ? order by number', [id]);
  try {
    const bytes = Buffer.concat(blocks.map(({ data }) => decompress(data)));
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : undefined;
  } catch {
    // Not what was compressed: a block was changed.
    return undefined;
  }
};

const newlines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
};

/** The chunks' rows follow one another from the first byte to the last. */
const chunksHold = (tx: Tx, { id, bytes, chunks }: Row, content: Buffer): boolean => {
  const rows = tx.all<{ number: number; offset: number; bytes: number; line: number; from: number | null }>(
    `select chunk.number, chunk.offset, chunk.bytes, chunk.line, block.offset as "from" from chunk
      left join block on block.document = chunk.document and block.number = chunk.block
      where chunk.document = ? order by chunk.id`,
    [id],
  );
  let at = 0;
  let line = 1;
  for (const [index, row] of rows.entries()) {
    if (row.number !== index + 1 || row.offset !== at || row.line !== line || (row.from ?? Infinity) > at) return false;
    line += newlines(content.subarray(at, at + row.bytes));
    at += row.bytes;
  }
  return at === content.length && bytes === at && chunks === rows.length;
};

const removeRows = (tx: Tx, id: number): void => {
  tx.run('delete from chunk where document = ?', [id]);
  tx.run('delete from block where document = ?', [id]);
};

/** Cuts the content anew where rows of its chunks are gone. */
const cutAnew = (tx: Tx, { id }: Row, content: Buffer): void => {
  removeRows(tx, id);
  const lines = drain(indexLines(content));
  const chunks = drain(cutChunks(lines));
  let rows: ChunkRow[] = [];
  for (const make of pieces(content, chunks)) {
    const piece = drain(make());
    addPiece(tx, id, piece);
    rows = [...rows, ...piece.chunks];
  }
  tx.run('update document set bytes = ?, lines = ?, chunks = ? where id = ?', [
    content.length,
    lines.count,
    rows.length,
    id,
  ]);
};

const bury = (tx: Tx, id: number, reason: Reason, at: number): void => {
  removeRows(tx, id);
  tx.run('delete from document_path where document = ?', [id]);
  tx.run('delete from document where id = ?', [id]);
  tx.run('insert or ignore into tombstone (document, reason, at) values (?, ?, ?)', [id, reason, at]);
};

/** A document belongs to a session, and the row of that may be what was lost. */
const replaceSessions = (tx: Tx, at: number): void => {
  tx.run(
    `insert or ignore into session (id, client, root, created_at, used_at)
      select distinct session, 'lost to damage', session, ?1, ?1 from document where session not in (select id from session)`,
    [at],
  );
};

/** The number of the last document that there was, as far as anything says. */
const lastNumber = (tx: Tx, saved: readonly number[]): number => {
  const counter = tx.get<{ seq: number }>("select seq from sqlite_sequence where name = 'document'")?.seq ?? 0;
  const buried = tx.get<{ id: number | null }>('select max(document) as id from tombstone')?.id ?? 0;
  return saved.reduce((last, id) => Math.max(last, id), Math.max(counter, buried));
};

/** Ids of which nothing is left, though they may have been given out; those of `lostWrites` are not given out anew. */
const buryTraceless = (tx: Tx, last: number, { at, lostWrites }: { at: number; lostWrites: number }): number[] => {
  const end = last + Math.min(lostWrites, mostHeldBack);
  const gone = tx
    .all<{ id: number }>(
      `with recursive every (id) as (select 1 union all select id + 1 from every where id < ?)
        select id from every where id not in (select id from document) and id not in (select document from tombstone)`,
      [Math.max(1, end)],
    )
    .map(({ id }) => id)
    .filter((id) => id <= end);
  for (const id of gone) bury(tx, id, 'perhaps damaged', at);
  tx.run("delete from sqlite_sequence where name = 'document'");
  tx.run("insert into sqlite_sequence (name, seq) values ('document', ?)", [end]);
  return gone.filter((id) => id <= last);
};

const ids = (numbers: readonly number[]): string =>
  `${numbers.slice(0, mostNamed).map(documentId).join(', ')}${numbers.length > mostNamed ? ` and ${counted(numbers.length - mostNamed, 'more')}` : ''}`;

/** Keeps every document whose SHA-256 holds; the others get a tombstone. The index is made anew from what is there. */
export const mendDocuments: Mend = (tx, { at, lostWrites, lostTables }) => {
  if (tx.get("select 1 from sqlite_master where name = 'tombstone'") === undefined) return [];
  const lost: string[] = [];
  const saved: number[] = [];
  for (const row of tx.all<Row>(
    'select id, title, sha256, bytes, chunks from document where complete = 1 order by id',
  )) {
    const content = contentOf(tx, row);
    if (content === undefined) {
      bury(tx, row.id, 'damaged', at);
      lost.push(`${documentId(row.id)} "${row.title}" is lost: its bytes do not have their SHA-256 any more.`);
      continue;
    }
    saved.push(row.id);
    if (!chunksHold(tx, row, content)) cutAnew(tx, row, content);
  }
  const orphans = tx
    .all<{ id: number }>(
      'select document as id from block union select document from chunk except select id from document',
    )
    .map(({ id }) => id);
  for (const id of orphans) bury(tx, id, 'damaged', at);
  if (orphans.length > 0)
    lost.push(`${ids(orphans)}: lost, for what the drawer knew of ${orphans.length === 1 ? 'it' : 'them'} is gone.`);
  replaceSessions(tx, at);
  restorePaths(tx);
  if (lostWrites > 0 || lostTables.length > 0) {
    const gone = buryTraceless(tx, lastNumber(tx, saved), { at, lostWrites });
    if (gone.length > 0)
      lost.push(`${ids(gone)}: lost if given out, for nothing is left of ${gone.length === 1 ? 'it' : 'them'}.`);
  }
  resetIndex(tx);
  return lost;
};

/** What earlier damage has cost, for whoever looks after the drawer. */
export const lookAtLosses: Look = (tx) => {
  if (tx.get("select 1 from sqlite_master where name = 'tombstone'") === undefined) return [];
  const lost = tx.all<{ id: number }>("select document as id from tombstone where reason = 'damaged' order by id");
  if (lost.length === 0) return [];
  return [{ what: `Lost to damage: ${ids(lost.map(({ id }) => id))}.`, behind: false }];
};
