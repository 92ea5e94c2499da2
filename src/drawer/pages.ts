import type { Tx } from '#base/tx.ts';
import type { Page, Stretch } from '#base/page.ts';
import type { ChunkInfo, DocumentFilter, DocumentInfo, Source } from './contents.ts';
import { documentOrThrow } from './documents.ts';
import { chunkId, documentId } from './ids.ts';
import { content } from './ranges.ts';

/** All columns but the anchor, which a list does not show. */
const listed = `id, session, title, kind, source, bytes, lines, chunks, tokens, tokens_estimated as tokensEstimated,
  anchor_tokens as anchorTokens, sha256, keep, redacted, stored_at as storedAt`;
const passing = `complete = 1 and (?1 is null or session = ?1) and (?2 is null or kind = ?2)
  and (?3 is null or title like ?3 escape '\\')`;

const within = (part: string | undefined): string | null =>
  part ? `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null;

type Row = Omit<DocumentInfo, 'id' | 'source' | 'keep' | 'tokensEstimated'> & {
  id: number;
  source: string;
  keep: number;
  tokensEstimated: number;
};

const fromRow = (row: Row): DocumentInfo => ({
  ...row,
  id: documentId(row.id),
  source: JSON.parse(row.source) as Source,
  keep: row.keep === 1,
  tokensEstimated: row.tokensEstimated === 1,
});

/** A stretch of the documents that pass, newest first. The stretch's ids are found without a look at the rows between. */
export const pageDocuments = (tx: Tx, args: DocumentFilter & Stretch): Page<DocumentInfo> => {
  const filter = [args.session ?? null, args.kind ?? null, within(args.title)];
  const total = tx.get<{ count: number }>(`select count(*) as count from document where ${passing}`, filter);
  const rows = tx.all<Row>(
    `select ${listed} from document where id in
      (select id from document where ${passing} order by id desc limit ?4 offset ?5) order by id desc`,
    [...filter, args.limit, args.offset],
  );
  return { rows: rows.map(fromRow), total: total?.count ?? 0 };
};

/** Of a chunk, as it is shown in a list. */
const beginning = 240;

const firstLine = (bytes: Buffer): string => {
  const text = bytes.toString('utf8').trimStart();
  // Cut inside a character: that is no sign of a binary.
  if (text.slice(0, -4).includes('\uFFFD') || text.includes('\0')) return '';
  return (text.split('\n', 1)[0] ?? '').trimEnd();
};

type ChunkRow = { number: number; line: number; offset: number; bytes: number };

/** A stretch of a document's chunks. */
export const pageChunks = (tx: Tx, args: { document: number } & Stretch): Page<ChunkInfo> => {
  const { chunks } = documentOrThrow(tx, args.document, undefined);
  const rows = tx.all<ChunkRow>(
    'select number, line, offset, bytes from chunk where id between (?1 << 20) + ?2 and (?1 << 20) + ?3 order by id',
    [args.document, args.offset + 1, args.offset + args.limit],
  );
  return {
    total: chunks,
    rows: rows.map(({ number, line, offset, bytes }) => ({
      id: chunkId(args.document, number),
      line,
      offset,
      bytes,
      text: firstLine(content(tx, args.document, offset, offset + Math.min(bytes, beginning))),
    })),
  };
};
