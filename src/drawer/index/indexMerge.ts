import type { Tx } from '#base/tx.ts';

/** Pages that one step of a merge writes: some 20 ms. */
const step = `insert into chunk_index (chunk_index) values ('merge=100,2')`;

const changes = (tx: Tx): number => tx.get<{ n: number }>('select total_changes() as n')?.n ?? 0;

/**
 * Makes one segment of the whole index. FTS4 takes deleted words out only where everything older is in the same merge, and
 * its own `optimize` cannot be cut into stretches. So every segment is put on one level, above all others and in the order
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
    tx.run(step);
    // FTS4's own sign that nothing was left to do.
    if (changes(tx) - before < 2) return;
    yield;
  }
}
