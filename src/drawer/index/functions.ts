// The functions that the drawer's view and queries call in SQLite: a chunk's text, its further terms, its rank.
import type { SqlFunction } from '#base/tx.ts';
import { openBlock } from '#drawer/documents/blocks.ts';
import { bm25 } from '#text/rank.ts';
import { searchTerms } from '#text/terms.ts';

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

/** BM25 from `matchinfo(…, 'pcnalx')`: phrases, columns, rows; average and own lengths a column; hits a phrase and column. */
const rank = (info: Uint8Array): number => {
  const view = new DataView(info.buffer, info.byteOffset, info.byteLength);
  const at = (index: number): number => view.getUint32(index * 4, true);
  const phrases = at(0);
  const width = at(1);
  const texts = at(2);
  let score = 0;
  for (const [column, { weight }] of columns.entries()) {
    const averageLength = at(3 + column) || 1;
    const length = at(3 + width + column);
    for (let phrase = 0; phrase < phrases; phrase++) {
      const x = 3 + 2 * width + 3 * (phrase * width + column);
      const hits = at(x);
      if (hits === 0) continue;
      score += weight * bm25({ hits, length, averageLength, holding: at(x + 2), texts });
    }
  }
  return score;
};

/** The storage registers them before it runs any statement. */
export const drawerFunctions: SqlFunction[] = [
  { name: 'drawer_text', run: chunkText },
  { name: 'drawer_terms', run: searchTerms },
  { name: 'drawer_rank', run: rank },
];
