import type { Tx } from '#base/tx.ts';
import { createIndex, mergeLittleByLittle } from '#drawer/schema.ts';

/** Chunks that one stretch indexes: about 65 KB of text, which takes some 10 ms. */
const sliceChunks = 32;

/**
 * Puts what is not yet in the full-text index there, oldest document first, until nothing is left. Each stretch is whole by
 * itself and finds in the drawer where to go on, so it may end at any time, and two of them do no harm.
 */
export function* indexDocuments(tx: Tx): Generator<void, { chunks: number }> {
  let chunks = 0;
  for (;;) {
    const next = tx.get<{ id: number; indexed: number; chunks: number }>(
      'select id, indexed, chunks from document where complete = 1 and indexed < chunks order by id limit 1',
    );
    if (!next) return { chunks };
    const to = Math.min(next.chunks, next.indexed + sliceChunks);
    tx.run(
      // Materialized: else SQLite decompresses a chunk once for its text and once more for its terms.
      `with piece as materialized (
          select rowid, text from chunk_text where rowid > (?1 << 20) + ?2 and rowid <= (?1 << 20) + ?3 order by rowid)
        insert into chunk_index (docid, text, x) select rowid, text, drawer_terms(text) from piece`,
      [next.id, next.indexed, to],
    );
    tx.run('update document set indexed = ? where id = ?', [to, next.id]);
    chunks += to - next.indexed;
    yield;
    // Without it SQLite merges all at once when sixteen segments have piled up: seconds at 50 MB.
    tx.run(`insert into chunk_index (chunk_index) values ('merge=100,4')`);
    yield;
  }
}

/** Empties the index; `indexDocuments` fills it anew, and until then searches read what is not in it. */
export const resetIndex = (tx: Tx): void => {
  tx.run('drop table chunk_index');
  tx.run(createIndex);
  tx.run(mergeLittleByLittle);
  tx.run('update document set indexed = 0');
};
