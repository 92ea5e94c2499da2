// What stored documents still add to the drawer's file, and which of them may go when it is full.
import type { Tx } from '#base/tx.ts';

/** Bytes of index for each byte of content: an upper estimate. */
const indexGrowth = 1.1;

/** Bytes by which the image will still grow when everything stored is indexed. */
export const pendingGrowth = (tx: Tx): number =>
  tx.get<{ bytes: number }>(
    `select coalesce(sum(bytes * 1.0 * (chunks - indexed) / chunks), 0) * ${indexGrowth} as bytes
      from document where complete = 1 and indexed < chunks`,
  )?.bytes ?? 0;

type Candidate = { id: number; frees: number };

/** The oldest documents that may go, as many as free `bytes`. */
export const evictable = (tx: Tx, { bytes }: { bytes: number }): Candidate[] => {
  const oldest = tx.all<Candidate>(
    `select id, coalesce((select sum(length(data)) from block where document = document.id), 0)
        + bytes * ${indexGrowth} / 2 * indexed / max(chunks, 1) as frees
      from document where complete = 1 and keep = 0 order by id limit 1000`,
  );
  let left = bytes;
  const end = oldest.findIndex(({ frees }) => (left -= frees) <= 0);
  return end < 0 ? oldest : oldest.slice(0, end + 1);
};
