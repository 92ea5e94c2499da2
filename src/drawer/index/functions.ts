import type { SqlFunction } from '#base/tx.ts';
import { decompress } from '#drawer/documents/blocks.ts';
import { searchTerms } from '#text/terms.ts';

type Opened = { data: Uint8Array; bytes: Buffer };

/** Blocks that are kept open: 4 MB of content. */
const mostOpened = 64;
const opened = new Map<string, Opened>();

const keyOf = (data: Uint8Array): string =>
  `${data.length} ${Buffer.from(data.buffer, data.byteOffset, Math.min(32, data.length)).toString('latin1')}`;

/** The bytes of a block. The last ones stay open: searches come back to them. Known by their data, never by an id. */
export const openBlock = (data: Uint8Array): Buffer => {
  const key = keyOf(data);
  const known = opened.get(key);
  const bytes = known && Buffer.compare(known.data, data) === 0 ? known.bytes : decompress(data);
  opened.delete(key);
  opened.set(key, { data, bytes });
  const [oldest = ''] = opened.size > mostOpened ? opened.keys() : [];
  opened.delete(oldest);
  return bytes;
};

/** A chunk as the index reads it. A NUL would end the text for SQLite, so it becomes a space. */
const chunkText = (data: Uint8Array, offset: number, bytes: number): string =>
  openBlock(data)
    .toString('utf8', offset, offset + bytes)
    .replaceAll('\0', ' ');

const columns = [
  { weight: 1, name: 'text' },
  // Stems and parts say less than the word itself.
  { weight: 0.5, name: 'x' },
];
const k1 = 1.2;
const b = 0.75;

/** BM25 from `matchinfo(…, 'pcnalx')`: phrases, columns, rows; average and own lengths a column; hits a phrase and column. */
const rank = (info: Uint8Array): number => {
  const view = new DataView(info.buffer, info.byteOffset, info.byteLength);
  const at = (index: number): number => view.getUint32(index * 4, true);
  const phrases = at(0);
  const width = at(1);
  const rows = at(2);
  let score = 0;
  for (const [column, { weight }] of columns.entries()) {
    const average = at(3 + column) || 1;
    const length = at(3 + width + column);
    for (let phrase = 0; phrase < phrases; phrase++) {
      const x = 3 + 2 * width + 3 * (phrase * width + column);
      const hits = at(x);
      if (hits === 0) continue;
      const idf = Math.log(1 + (rows - at(x + 2) + 0.5) / (at(x + 2) + 0.5));
      score += (weight * idf * hits * (k1 + 1)) / (hits + k1 * (1 - b + (b * length) / average));
    }
  }
  return score;
};

/** The functions that the drawer's view and queries call; a store registers them before it replays anything. */
export const drawerFunctions: SqlFunction[] = [
  { name: 'drawer_text', run: chunkText },
  { name: 'drawer_terms', run: searchTerms },
  { name: 'drawer_rank', run: rank },
];
