// Removes documents: at once from sight, then their bytes and words in steps.
import type { Tx } from '#base/tx.ts';
import type { Reason } from '#drawer/documents/tombstones.ts';
import { mergeIndex, resetIndex } from '#drawer/index/fullText.ts';

export type RemoveArgs = {
  /** Single documents, or everything in these sessions. */
  documents?: readonly number[];
  sessions?: readonly string[];
  reason: Reason;
  /** What a moved document has become. */
  successor?: number;
  /** Milliseconds since 1970. */
  now: number;
};

const chosen = 'id in (select value from json_each(?1)) or session in (select value from json_each(?2))';

/**
 * Makes documents invisible and leaves a tombstone for each, at once; `eraseRemoved` takes their rows away. What a session's
 * unfinished stores have staged goes too: nobody was given its id.
 */
export const removeDocuments = (
  tx: Tx,
  { documents = [], sessions = [], reason, successor, now }: RemoveArgs,
): number => {
  const which = [JSON.stringify(documents), JSON.stringify(sessions)];
  const removed = tx.run(
    `insert into tombstone (document, reason, at, successor)
      select id, ?3, ?4, ?5 from document where complete = 1 and (${chosen}) order by id`,
    [...which, reason, now, successor ?? null],
  );
  tx.run(`update document set complete = 2 where complete < 2 and (${chosen})`, which);
  tx.run('delete from document_path where document in (select id from document where complete = 2)');
  return removed;
};

/** Chunks taken out of the index, and blocks deleted, in one step. */
const stepChunks = 32;
const stepBlocks = 64;

type Removed = { id: number; indexed: number };

/** One step of what is left of a removed document. */
const erase = (tx: Tx, { id, indexed }: Removed): void => {
  if (indexed > 0) {
    // The index reads a row's text once more to delete it, so it goes first: from its end, as far as it was filled.
    const from = Math.max(0, indexed - stepChunks);
    tx.run(
      `delete from chunk_index where docid in
        (select id from chunk where id > (?1 << 20) + ?2 and id <= (?1 << 20) + ?3)`,
      [id, from, indexed],
    );
    tx.run('update document set indexed = ? where id = ?', [from, id]);
    return;
  }
  const blocks = tx.all<{ number: number }>(
    'select number from block where document = ? order by number desc limit ?',
    [id, stepBlocks + 1],
  );
  const from = blocks.length > stepBlocks ? (blocks[stepBlocks - 1]?.number ?? 0) : 0;
  tx.run('delete from chunk where id between (?1 << 20) and (?1 << 20) + 1048575 and block >= ?2', [id, from]);
  tx.run('delete from block where document = ? and number >= ?', [id, from]);
  if (from > 0) return;
  tx.run('update document set complete = 3 where id = ?', [id]);
};

/** Chunks in the index, of removed documents and of those that stay. */
const indexedChunks = (tx: Tx): { removed: number; staying: number } =>
  tx.get<{ removed: number; staying: number }>(
    `select coalesce(sum(indexed) filter (where complete = 2), 0) as removed,
        coalesce(sum(indexed) filter (where complete = 1), 0) as staying from document`,
  ) ?? { removed: 0, staying: 0 };

/**
 * Erases what removed documents left, and their words from the index. Each step finds in the drawer where to go on, so it
 * may end at any time: a document's row goes last, when nothing of it is left anywhere. Documents that stay may wait for the
 * index afterwards.
 */
export function* eraseRemoved(tx: Tx): Generator<void, void> {
  const { removed, staying } = indexedChunks(tx);
  // To take a chunk out of the index costs as much as to put one in: the index is then made anew from the smaller part.
  if (removed > staying) resetIndex(tx);
  yield;
  for (;;) {
    const next = tx.get<Removed>('select id, indexed from document where complete = 2 order by id limit 1');
    if (!next) break;
    erase(tx, next);
    yield;
  }
  // Those that another such job erases meanwhile are left to it: this merge may not have seen their words go.
  const erased = tx.all<{ id: number }>('select id from document where complete = 3').map(({ id }) => id);
  if (erased.length === 0) return;
  yield* mergeIndex(tx);
  tx.run('delete from document where id in (select value from json_each(?))', [JSON.stringify(erased)]);
}

/** Erases what was removed, and makes one segment of the index: a file that is rewritten then has no more than it needs. */
export function* compact(tx: Tx): Generator<void, void> {
  yield* eraseRemoved(tx);
  yield* mergeIndex(tx);
}
