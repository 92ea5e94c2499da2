/**
 * What can be read of a drawer, whole or damaged. INVARIANTS
 * 1. Nothing on disk is touched.
 * 2. What was acknowledged and cannot be read is told: writes by their numbers, what rooms hold by their words.
 * 3. Nothing but a view and a repair that a person asked for is built on it.
 */
import { LoomError } from '#base/errors.ts';
import { counted, grouped } from '#base/text.ts';
import type { Mend, RoomMigrations } from '#base/tx.ts';
import type { Image } from '#storage/image.ts';
import { migrationTable, recordMigrations } from '#storage/migrate.ts';
import { corrupt, type Gap } from './journal.ts';
import { list, type Listing } from './layout.ts';
import { walkBack, type Log } from './logPath.ts';
import {
  basesOf,
  lowerBound,
  openImage,
  patiently,
  readBase,
  recover,
  replayAll,
  type Base,
  type Recovered,
  type RecoveryOptions,
} from './recovery.ts';
import { rescue } from './rescue.ts';
import { isCorrupt } from './snapshot.ts';

export type SalvageOptions = Omit<RecoveryOptions, 'mode'> & {
  /** Looks at what was saved, for the rooms: marks what is lost and answers what that is. */
  mend: Mend;
  /** The rooms' tables as this program knows them. */
  migrations: readonly RoomMigrations[];
};

/** `missing` is empty where the drawer is whole. `seq` is the number of the last write that was acknowledged. */
export type Salvaged = Recovered & { missing: LoomError[] };

export const salvage = async (options: SalvageOptions): Promise<Salvaged> => {
  const viewed = { ...options, mode: 'view' as const };
  try {
    return { ...(await recover(viewed)), missing: [] };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return patiently(() => save(viewed, list(options.folder), error));
  }
};

type Viewed = RecoveryOptions & SalvageOptions;

/** From the newest snapshot that SQLite can open, or from none. */
const save = async (options: Viewed, listing: Listing, reason: LoomError): Promise<Salvaged> => {
  for (const epoch of [...basesOf(listing), 0]) {
    try {
      return await saveFrom(options, readBase(options, epoch, listing), listing, reason);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
    }
  }
  throw reason;
};

const saveFrom = async (options: Viewed, base: Base, listing: Listing, reason: LoomError): Promise<Salvaged> => {
  const { folder, mend, migrations } = options;
  const { image, lostTables, missing } = await openSaved(options, base);
  const gaps: Gap[] = [];
  const path = bestPath(options, base, listing);
  const lowest = lowerBound(folder, listing);
  const state = replayAll(options, image, { base, path, lowest }, (gap) => gaps.push(gap));
  const acknowledged = Math.max(state.seq, lowest);
  if (state.seq < acknowledged) gaps.push({ from: state.seq + 1, to: acknowledged, error: reason });
  const lostWrites = gaps.reduce((sum, { from, to = from }) => sum + to - from + 1, 0);
  missing.push(...gaps.map(gapWords));
  image.run('begin');
  const tx = image.tx(() => undefined);
  // Whoever owned the drawer last brought it up to date.
  if (lostTables.includes(migrationTable)) recordMigrations(tx, migrations);
  missing.push(...mend(tx, { at: Date.now(), lostWrites, lostTables }).map(lost));
  image.run('commit');
  return { ...state, seq: acknowledged, missing: missing.length > 0 ? missing : [reason] };
};

const lost = (words: string): LoomError => new LoomError('DRAWER_CORRUPT', words);

const gapWords = ({ from, to, error }: Gap): LoomError => {
  const which =
    to === undefined
      ? `Of the writes from number ${grouped(from)} on, some are`
      : to === from
        ? `Write ${grouped(from)} is`
        : `Writes ${grouped(from)} to ${grouped(to)} are`;
  return new LoomError('DRAWER_CORRUPT', `${which} missing. ${error.message}`, { cause: error });
};

/** The base's image; of a damaged one, what can be saved. */
const openSaved = async (
  { functions }: Viewed,
  base: Base,
): Promise<{ image: Image; lostTables: string[]; missing: LoomError[] }> => {
  if (base.file === undefined || base.bad.length === 0)
    return { image: await openImage(base, functions), lostTables: [], missing: [] };
  const where = `snapshot ${base.epoch} was changed in ${counted(base.bad.length, 'piece')} of ${grouped(base.piece)} bytes, the first near byte ${grouped((base.bad[0] ?? 0) * base.piece)}, and no copy holds it`;
  try {
    const { image, lostTables } = await rescue(base.file, functions);
    const rows = lostTables.length > 0 ? `rows are missing in ${lostTables.join(', ')}` : 'every row can still be read';
    return { image, lostTables, missing: [corrupt(`${where}; ${rows}`)] };
  } catch (error) {
    throw new LoomError('DRAWER_CORRUPT', `The drawer is damaged: ${where}; SQLite cannot open the rest.`, {
      cause: error,
    });
  }
};

/** The way to the highest log from which there is a way back to the base. */
const bestPath = ({ folder }: Viewed, base: Base, listing: Listing): Log[] => {
  for (const top of listing.logs.toReversed()) {
    try {
      return walkBack(folder, top, base, listing);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
    }
  }
  return [];
};
