// What is left of removed documents: when and why each went.
import type { Tx } from '#base/tx.ts';
import { documentId } from '#drawer/ids.ts';

/**
 * Why a document is no more. `expired`: its session was not used for so long; `evicted`: the drawer was full; `damaged`: the
 * drawer's file was; `perhaps damaged`: so it was, and nothing says whether there ever was such a document.
 */
export type Reason = 'purged' | 'expired' | 'evicted' | 'moved' | 'damaged' | 'perhaps damaged';

export type Tombstone = { document: number; reason: Reason; at: number; successor: number | null };

/** What is left of removed documents: an id that was given out answers for ever, when and why it went. No content. */
export const tombstoneOf = (tx: Tx, document: number): Tombstone | undefined =>
  tx.get<Tombstone>('select document, reason, at, successor from tombstone where document = ?', [document]);

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** When and why a document went, in words, and what to do. */
export const epitaph = ({ document, reason, at, successor }: Tombstone): string => {
  const id = documentId(document);
  const when = minute(at);
  if (reason === 'moved' && successor !== null) {
    return `${id} was moved on ${when}: it is ${documentId(successor)} now, in another session.`;
  }
  if (reason === 'evicted') {
    return `${id} was evicted on ${when}, because the drawer was full. Store it again, with keep: true to hold on to it.`;
  }
  if (reason === 'damaged') return `${id} was lost to damage on ${when}. Store it again if it is needed.`;
  if (reason === 'perhaps damaged')
    return `${id}, if it was ever given out, was lost to damage on ${when}. Store it again if it is needed.`;
  const why = reason === 'expired' ? ' with its session, which had not been used for long' : '';
  return `${id} was purged${why} on ${when}. Store it again if it is needed.`;
};
