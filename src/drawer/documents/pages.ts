// Pages of the lists that a person sees: of documents, and of a document's chunks.
import type { Tx } from '#base/tx.ts';
import type { Page, RowRange } from '#base/page.ts';
import type { ChunkInfo, DocumentFilter, DocumentInfo } from '#drawer/contents.ts';
import { chunkId } from '#drawer/ids.ts';
import { documentOrThrow, infoColumns, infoFromRow, type InfoRow } from './documents.ts';
import { content } from './ranges.ts';

const passing = `complete = 1 and (?1 is null or session = ?1) and (?2 is null or kind = ?2)
  and (?3 is null or title like ?3 escape '\\')`;

const within = (part: string | undefined): string | null =>
  part ? `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null;

/** Some of the documents that pass, newest first. Their ids are found without a look at the rows before them. */
export const pageDocuments = (tx: Tx, args: DocumentFilter & RowRange): Page<DocumentInfo> => {
  const filter = [args.session ?? null, args.kind ?? null, within(args.title)];
  const total = tx.get<{ count: number }>(`select count(*) as count from document where ${passing}`, filter);
  const rows = tx.all<InfoRow>(
    `select ${infoColumns} from document where id in
      (select id from document where ${passing} order by id desc limit ?4 offset ?5) order by id desc`,
    [...filter, args.limit, args.offset],
  );
  return { rows: rows.map(infoFromRow), total: total?.count ?? 0 };
};

/** Bytes of a chunk that a list shows. */
const shownBytes = 240;

const firstLine = (bytes: Buffer): string => {
  const text = bytes.toString('utf8').trimStart();
  // Cut inside a character: that is no sign of a binary.
  if (text.slice(0, -4).includes('\uFFFD') || text.includes('\0')) return '';
  return (text.split('\n', 1)[0] ?? '').trimEnd();
};

type ChunkRow = { number: number; line: number; offset: number; bytes: number };

/** Some of a document's chunks. */
export const pageChunks = (tx: Tx, args: { document: number } & RowRange): Page<ChunkInfo> => {
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
      text: firstLine(content(tx, args.document, offset, offset + Math.min(bytes, shownBytes))),
    })),
  };
};
