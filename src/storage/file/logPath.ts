/**
 * The logs that belong to the drawer's history. INVARIANT: they are found by walking *back* from the highest one; a log
 * beside that way belongs to a superseded owner, and nobody was ever answered from it.
 */
import { LoomError } from '#base/errors.ts';
import type { Position } from './chain.ts';
import { readIfThere, readStart } from './disk.ts';
import type { Image } from '#storage/image.ts';
import {
  corrupt,
  decodeHeader,
  type DecodedHeader,
  type Entry,
  type Gap,
  type LogHeader,
  type ReadRecord,
} from './journal.ts';
import { list, logFile, type Listing } from './layout.ts';
import { recordKey } from '#storage/requestKeys.ts';

export type Log = DecodedHeader & { bytes: Buffer };
/** What a way of logs begins with: a snapshot, or the empty drawer of epoch 0. */
export type Root = Position & { id: string | undefined; epoch: number };

const readLog = (folder: string, epoch: number): Log | undefined => {
  const bytes = readIfThere(logFile(folder, epoch));
  return bytes && { ...decodeHeader(bytes, epoch), bytes };
};

/** Far more than a header with its slots has. */
const longestHeader = 64 * 2 ** 10;
/** What the log says of itself, without its records. */
export const readLogHeader = (folder: string, epoch: number): LogHeader | undefined => {
  const bytes = readStart(logFile(folder, epoch), longestHeader);
  return bytes && decodeHeader(bytes, epoch).header;
};

/** The logs from `base` to `top`, ascending. Throws where one of them is missing or does not fit `base`. */
export const walkBack = (folder: string, top: number, base: Root, listing: Listing): Log[] => {
  const path: Log[] = [];
  for (let epoch = top; epoch > 0 && epoch >= base.epoch;) {
    const log = readLog(folder, epoch);
    if (log === undefined) {
      // A snapshot whose epoch committed nothing has no log.
      if (epoch === base.epoch) break;
      if (list(folder).snapshots.some((snapshot) => !listing.snapshots.includes(snapshot)))
        throw Object.assign(new Error(`journal ${epoch} was just removed`), { code: 'ENOENT' });
      throw corrupt(`journal ${epoch} is missing`);
    }
    path.unshift(log);
    // The log of a snapshot that stands alone has nothing before it but that snapshot.
    if (log.header.before >= epoch) break;
    epoch = log.header.before;
  }
  const first = path[0]?.header;
  if (first && (first.seq !== base.seq || first.chain !== base.chain || (base.id ?? first.id) !== first.id))
    throw corrupt(
      `journal ${first.epoch} begins after write ${first.seq}, but the state before it is that of ${base.seq}`,
    );
  return path;
};

/** Runs one entry again. Throws where it does not run as it ran. */
const rerun = (image: Image, { statements, key, result }: Entry, number: number): void => {
  for (const [sql, params, rows] of statements) {
    const now = image.run(sql, params);
    if (now !== rows) throw new Error(`${now} rows changed where there were ${rows}: ${sql.slice(0, 60)}`);
  }
  recordKey(image, number, key, result);
};

const differs = (number: number, error: unknown): LoomError =>
  new LoomError(
    'DRAWER_CORRUPT',
    `The drawer is damaged: write ${number} does not run again as it ran (${error instanceof Error ? error.message : String(error)}).`,
    { cause: error },
  );

/** Runs one record again, in a transaction of its own. With `onGap` what does not run is told and left out. */
export const replay = (image: Image, { first, entries }: ReadRecord, onGap?: (gap: Gap) => void): void => {
  image.run('begin');
  for (const [index, entry] of entries.entries()) {
    const number = first + index;
    // At each savepoint FTS writes a segment of its own: only where something may have to be undone.
    if (onGap) image.run('savepoint entry');
    try {
      rerun(image, entry, number);
    } catch (error) {
      image.run(onGap ? 'rollback to entry' : 'rollback');
      if (onGap === undefined) throw differs(number, error);
      onGap({ from: number, to: number, error: differs(number, error) });
    }
    if (onGap) image.run('release entry');
  }
  image.run('commit');
};
