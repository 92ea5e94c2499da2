/**
 * From the files to the state. INVARIANTS
 * 1. The state is the highest snapshot and then every record of the path of logs, found by walking *back* from the highest
 *    log: a log beside that path belongs to a superseded owner, and nobody was ever answered from it.
 * 2. Only the last record of the last log may be missing its end, for only that write can have been cut short. Everything
 *    else that does not fit is damage, and nothing is built on it.
 * 3. A link, a snapshot or a header that states a position is a lower bound: a state that does not reach it has lost
 *    something. The newest snapshot may rot, for there is a second way to the state; then that is told, and a new one is due.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import type { SqlFunction } from '#base/tx.ts';
import { readLink, type Position } from './chain.ts';
import { codeOf, readIfThere } from './disk.ts';
import type { Fault } from '#storage/fault.ts';
import { Image } from '#storage/image.ts';
import { corrupt, readRecords, type Gap, type LogEnd, type LogHeader } from './journal.ts';
import type { KeyRing, Sealed, SealedHeader } from '#storage/sealing/keySlots.ts';
import { firstFile, list, logFile, tornFile, type Listing } from './layout.ts';
import { readLogHeader, replay, walkBack, type Log, type Root } from './logPath.ts';
import { createKeyTable } from '#storage/requestKeys.ts';
import { fileSeal } from '#storage/sealing/seal.ts';
import { isCorrupt } from './snapshot.ts';
import { readSnapshot, readSnapshotHeader } from './snapshotReader.ts';

export type Recovered = Position & {
  image: Image;
  /** The drawer's; undefined in a new folder. */
  id: string | undefined;
  /** Epoch of the snapshot it began with; 0 where there was none. */
  snapshot: number;
  /** Epoch that the next log names as the one before it. */
  before: number;
  /** How many logs were replayed, and how long they are. */
  logs: number;
  logBytes: number;
  /** Whatever is older than that snapshot must go. */
  alone: boolean;
  /** How the newest file is sealed. */
  sealed: Sealed | undefined;
  /** The state comes from the file of Loom's first version. */
  imported: boolean;
  /** Some copy of something does not hold, or there is no second way to this state: a new snapshot is due. */
  due: boolean;
  /** What a person should know though nothing is lost. */
  warnings: string[];
  /** What may be lost: nobody can tell whether it was acknowledged. */
  doubt: string | undefined;
};

export type RecoveryOptions = {
  folder: string;
  keys: KeyRing;
  functions: readonly SqlFunction[];
  fault: Fault;
  /** `own`: the caller owns the folder. `view`: nothing on disk is touched. */
  mode: 'own' | 'view';
};

/** Reads the drawer. Throws `DRAWER_CORRUPT` where anything of it is lost. */
export const recover = (options: RecoveryOptions): Promise<Recovered> =>
  patiently(() => recoverOnce(options, list(options.folder)));

/** A late predecessor may be removing files meanwhile: then its snapshot is there on the next look. */
export const patiently = async <R>(look: () => Promise<R>): Promise<R> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await look();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt >= 5) throw error;
    }
  }
};

/** How the drawer's files are sealed, newest first, as far as they are readable; none where it is new. */
export const sealedHeaders = (folder: string): SealedHeader[] => {
  const listing = list(folder);
  const { logs } = listing;
  const snapshots = basesOf(listing);
  if (logs.length + snapshots.length === 0) return existsSync(firstFile(folder)) ? [{ id: '', sealed: undefined }] : [];
  const headers = [
    ...snapshots.map((epoch) => ({ epoch, read: () => readSnapshotHeader(folder, epoch) })),
    ...logs.map((epoch) => ({ epoch, read: () => readLogHeader(folder, epoch) })),
  ];
  return headers
    .sort((a, b) => b.epoch - a.epoch)
    .flatMap(({ read }) => {
      try {
        const { id, sealed } = read() ?? {};
        return id === undefined ? [] : [{ id, sealed }];
      } catch {
        return [];
      }
    });
};

/** The epochs of snapshots that are there, in one file or two, newest first. */
export const basesOf = ({ snapshots, copies }: Listing): number[] =>
  [...new Set([...snapshots, ...copies])].sort((a, b) => b - a);

const recoverOnce = async (options: RecoveryOptions, listing: Listing): Promise<Recovered> => {
  options.fault('recover-listed');
  let first: LoomError | undefined;
  for (const epoch of [...basesOf(listing), 0]) {
    try {
      const state = await build(options, wholeBase(readBase(options, epoch, listing)), listing);
      return first === undefined ? state : fallenBack(options, state, listing, first);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      // What is wrong with the newest is what a person has to know.
      first ??= error;
    }
  }
  throw first ?? corrupt('nothing in it is readable');
};

/** The newest snapshot rotted: the older one will do where it is proved that the journals reach as far as that one did. */
const fallenBack = (options: RecoveryOptions, state: Recovered, listing: Listing, error: LoomError): Recovered => {
  const lost = basesOf(listing)[0] ?? 0;
  const proved = state.before >= lost || listing.links.some((e) => e >= lost && readLink(options.folder, e).link?.at);
  if (!proved) {
    state.image.close();
    throw error;
  }
  const warning = `${error.message} The snapshot before it and the journals gave the whole state: nothing is missing.`;
  return { ...state, due: true, warnings: [warning, ...state.warnings] };
};

export type Base = Root & {
  file: Uint8Array | undefined;
  /** Pieces of the file that no copy holds, and their length. */
  bad: readonly number[];
  piece: number;
  sealed: Sealed | undefined;
  imported: boolean;
  alone: boolean;
  /** One of its copies does not hold, or there is none and no older way to this state. */
  due: boolean;
  warnings: string[];
};

const nothing = { id: undefined, seq: 0, chain: 0, sealed: undefined, alone: false, epoch: 0 };

/** What snapshot `epoch` holds, or for 0 what there is before any snapshot. */
export const readBase = ({ folder, keys }: RecoveryOptions, epoch: number, listing: Listing): Base => {
  if (epoch > 0) {
    const { header, image, bad, mended } = readSnapshot(folder, epoch, (sealed) => keys.dataKey(sealed));
    const { id, seq, chain, sealed, alone = false, piece } = header;
    const words = `Of snapshot ${epoch} one copy is damaged; the other one gave the whole state: nothing is missing.`;
    const older = !alone && [...listing.snapshots, ...listing.logs].some((other) => other < epoch);
    const single = !older && !(listing.copies.includes(epoch) && listing.snapshots.includes(epoch));
    const about = { due: mended || single, warnings: mended ? [words] : [] };
    return { id, seq, chain, sealed, alone, epoch, file: image, bad, piece, imported: false, ...about };
  }
  const first = listing.logs.length + basesOf(listing).length === 0;
  const old = first ? readIfThere(firstFile(folder)) : undefined;
  const imported = old !== undefined;
  return { ...nothing, file: old, bad: [], piece: 0, imported, due: imported, warnings: [] };
};

const wholeBase = (base: Base): Base => {
  const [first] = base.bad;
  if (first === undefined) return base;
  throw corrupt(`snapshot ${base.epoch} was changed near byte ${first * base.piece}`);
};

const build = async (options: RecoveryOptions, base: Base, listing: Listing): Promise<Recovered> => {
  const { folder, functions } = options;
  const path = walkBack(folder, listing.logs.at(-1) ?? 0, base, listing);
  const image = await openImage(base, functions);
  try {
    return replayAll(options, image, { base, path, lowest: lowerBound(folder, listing) });
  } catch (error) {
    image.close();
    throw error;
  }
};

/** Runs the journals on the base's image, up to write `lowest` at least. With `onGap`, as much of them as can be run. */
export const replayAll = (
  options: RecoveryOptions,
  image: Image,
  { base, path, lowest }: { base: Base; path: readonly Log[]; lowest: number },
  onGap?: (gap: Gap) => void,
): Recovered => {
  const state = { seq: base.seq, chain: base.chain };
  const warnings = [...base.warnings];
  let due = base.due;
  let end: LogEnd = { at: 0, torn: 0, changed: false, mended: 0 };
  createKeyTable(image);
  for (const [index, log] of path.entries()) {
    end = replayLog(options, image, { log, next: path[index + 1]?.header, state }, onGap);
    if (end.mended === 0) continue;
    due = true;
    warnings.push(
      `Journal ${log.header.epoch} is damaged; the second copy of what stood there is whole: nothing is missing.`,
    );
  }
  options.fault('recover-replayed');
  if (state.seq < lowest && onGap === undefined)
    throw corrupt(`the journal ends at write ${state.seq}, but ${lowest} were acknowledged`);
  const last = path.at(-1)?.header;
  const tail = end.torn > 0 ? copyTorn(options, path.at(-1)!, end) : undefined;
  if (tail !== undefined && !end.changed) warnings.push(tail);
  return {
    ...state,
    image,
    id: base.id ?? last?.id,
    snapshot: base.epoch,
    before: last?.epoch ?? base.epoch,
    logs: path.length,
    logBytes: path.reduce((sum, { bytes }) => sum + bytes.length, 0),
    alone: base.alone,
    sealed: (last ?? base).sealed,
    imported: base.imported,
    due,
    warnings,
    doubt: end.changed ? tail : undefined,
  };
};

export const openImage = async (base: Base, functions: readonly SqlFunction[]): Promise<Image> => {
  const image = await Image.open(base.file, functions);
  try {
    image.all('select count(*) from sqlite_master');
    return image;
  } catch (error) {
    image.close();
    const what = base.imported ? 'drawer.sqlite' : `snapshot ${base.epoch}`;
    throw new LoomError('DRAWER_CORRUPT', `The drawer is damaged: ${what} is no database.`, { cause: error });
  }
};

/** So many writes were acknowledged, as far as any file says. */
export const lowerBound = (folder: string, { links, ...listing }: Listing): number => {
  const stated = (read: () => Position | undefined): number => {
    try {
      return read()?.seq ?? 0;
    } catch (error) {
      // It states nothing that can be read.
      if (isCorrupt(error)) return 0;
      throw error;
    }
  };
  return Math.max(
    0,
    ...links.map((epoch) => readLink(folder, epoch).link?.at?.seq ?? 0),
    ...basesOf({ links, ...listing }).map((epoch) => stated(() => readSnapshotHeader(folder, epoch))),
    ...listing.logs.map((epoch) => stated(() => readLogHeader(folder, epoch))),
  );
};

const replayLog = (
  { folder, keys, mode }: RecoveryOptions,
  image: Image,
  { log, next, state }: { log: Log; next: LogHeader | undefined; state: Position },
  onGap: ((gap: Gap) => void) | undefined,
): LogEnd => {
  const { epoch, id, sealed } = log.header;
  if (next === undefined && mode === 'own') {
    // What was read must be on disk before anything is built on it; read again first, for it may have grown.
    log.bytes = readFileSync(logFile(folder, epoch));
    syncFile(logFile(folder, epoch));
  }
  const seal = sealed && fileSeal(keys.dataKey(sealed), id, 'log', epoch);
  const records = readRecords(log.bytes, log, seal, next, onGap);
  for (;;) {
    const step = records.next();
    if (step.done) return step.value;
    replay(image, step.value, onGap);
    state.seq = step.value.seq;
    state.chain = step.value.chain;
  }
};

const syncFile = (file: string): void => {
  const fd = openSync(file, 'r+');
  try {
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** Keeps the torn end for a person. */
const copyTorn = ({ folder, mode }: RecoveryOptions, log: Log, { at, torn, changed }: LogEnd): string => {
  const { epoch } = log.header;
  const copy = tornFile(folder, epoch);
  if (mode === 'own') {
    try {
      writeFileSync(copy, log.bytes.subarray(at), { flag: 'wx', mode: 0o600 });
    } catch {
      // It is there already, or the disk is full: the log itself still has it.
    }
  }
  return changed
    ? `The last write to journal ${epoch} has its length but is not what was written (${torn} bytes, kept in ${copy}): the power failed in the middle of it, or it was changed since. If it was acknowledged, it is missing.`
    : `The last write to journal ${epoch} was cut short (${torn} bytes, kept in ${copy}): a crash before it was acknowledged; nothing is missing.`;
};
