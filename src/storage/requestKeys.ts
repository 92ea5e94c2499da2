/**
 * Which requests were applied, kept in the drawer itself: a write and its key are one transaction. INVARIANT: a request
 * that is sent again is applied once or refused as unknown, never applied twice.
 */
import { LoomError } from '#base/errors.ts';
import { unpack } from '#storage/file/codec.ts';
import type { Image } from '#storage/image.ts';

/** The last so many writes are known by their keys. */
export const knownKeys = 20_000;
/** Of the last so many the answer is kept too; the others are known to have been applied. */
const knownAnswers = 2_000;
/** A key may be this much younger than the window when its request is sent again: other writes come in between. */
const margin = 1_000;

export const createKeyTable = (image: Image): void => {
  image.run('create table if not exists loom_request (seq integer primary key, key text unique, result blob)');
};

/** Part of the transaction of write number `seq`, and of its replay. */
export const recordKey = (image: Image, seq: number, key: string | undefined, result: Uint8Array | undefined): void => {
  if (key === undefined) return;
  image.run('insert into loom_request values (?, ?, ?)', [seq, key, result ?? null]);
  image.run('delete from loom_request where seq <= ?', [seq - knownKeys]);
  // Those that left the window since the last write that had a key; the ones before had theirs taken then.
  image.run(
    `update loom_request set result = null where seq <= ?1 - ?2 and
       seq > coalesce((select max(seq) from loom_request where seq < ?1), 0) - ?2`,
    [seq, knownAnswers],
  );
};

/** The answer that was given to the request `key`, or undefined where it was never applied. */
export const answered = (
  image: Image,
  { key, since }: { key: string | undefined; since: number | undefined },
  seq: number,
): { value: unknown } | undefined => {
  if (key === undefined) return undefined;
  const row = image.all<{ result: Uint8Array | null }>('select result from loom_request where key = ?', [key])[0];
  if (row?.result) return { value: unpack(Buffer.from(row.result)) };
  if (row)
    throw new LoomError('WRITE_UNKNOWN', 'This write was applied, but so long ago that its answer is no longer kept.');
  if (since !== undefined && seq - since > knownKeys - margin)
    throw new LoomError(
      'WRITE_UNKNOWN',
      'This write was sent again so late that nobody can tell whether it was applied. Look before writing it again.',
    );
  return undefined;
};
