// The full-text index: filled, emptied and merged, in steps that other work may come between.
import { counted, grouped } from '#base/text.ts';
import type { Look, Tx } from '#base/tx.ts';
import { createIndex, mergeLittleByLittle } from '#drawer/schema.ts';

/** Chunks that one step indexes: about 65 KB of text, which takes some 10 ms. */
const sliceChunks = 32;

/**
 * Puts what is not yet in the full-text index there, oldest document first, until nothing is left. Each step is whole by
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

/** Pages that one step of a merge writes: some 20 ms. */
const mergeStep = `insert into chunk_index (chunk_index) values ('merge=100,2')`;

const changes = (tx: Tx): number => tx.get<{ n: number }>('select total_changes() as n')?.n ?? 0;

/**
 * Makes one segment of the whole index. FTS4 takes deleted words out only where everything older is in the same merge, and
 * its own `optimize` cannot be cut into steps. So every segment is put on one level, above all others and in the order
 * of their age, where `merge` then does the same in steps. What is indexed meanwhile begins at level 0 as ever.
 */
export function* mergeIndex(tx: Tx): Generator<void, void> {
  // What was deleted just now stands in no segment yet.
  tx.run("insert into chunk_index (chunk_index) values ('flush')");
  const segments = tx.all<{ level: number; idx: number }>(
    'select level, idx from chunk_index_segdir order by level desc, idx',
  );
  if (segments.length > 1) {
    const level = (segments[0]?.level ?? 0) + 1;
    for (const [age, { level: old, idx }] of segments.entries())
      tx.run('update chunk_index_segdir set level = ?, idx = ? where level = ? and idx = ?', [level, age, old, idx]);
    // Notes of merges that were under way name levels that are now empty.
    tx.run('delete from chunk_index_stat where id = 1');
    yield;
  }
  for (;;) {
    const before = changes(tx);
    tx.run(mergeStep);
    // FTS4's own sign that nothing was left to do.
    if (changes(tx) - before < 2) return;
    yield;
  }
}

/** Chunks of visible documents: how many there are, and how many wait for the index. */
export const waitingChunks = (tx: Tx): { waiting: number; chunks: number } =>
  tx.get<{ waiting: number; chunks: number }>(
    'select coalesce(sum(chunks - indexed), 0) as waiting, coalesce(sum(chunks), 0) as chunks from document where complete = 1',
  ) ?? { waiting: 0, chunks: 0 };

/** How many chunks wait, in words. */
export const waitingText = ({ waiting, chunks }: { waiting: number; chunks: number }): string =>
  `${grouped(waiting)} of ${counted(chunks, 'chunk')} not indexed yet: searches read those themselves, and the next program that uses the drawer goes on.`;

/** Whether everything stands in the index, for whoever looks after the drawer. */
export const lookAtIndex: Look = (tx) => {
  if (tx.get("select 1 from sqlite_master where name = 'chunk_index'") === undefined) return [];
  const found = waitingChunks(tx);
  const what =
    found.waiting === 0
      ? `Search index: all of ${counted(found.chunks, 'chunk')}.`
      : `Search index: ${waitingText(found)}`;
  // What is being stored or removed is in the tables and not in the index, or the other way round.
  const others = tx.get('select 1 from document where complete <> 1') !== undefined;
  return [{ what, behind: found.waiting > 0 || others }];
};
