/**
 * From the files to the state. INVARIANTS
 * 1. The state is the highest snapshot and then every record of the path of logs, found by walking *back* from the highest
 *    log: a log beside that path belongs to a superseded owner, and nobody was ever answered from it.
 * 2. Only the last record of the last log may be missing its end, for only that write can have been cut short. Everything
 *    else that does not fit is damage, and nothing is built on it.
 * 3. A link that states a position is a lower bound: a state that does not reach it has lost something.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import type { SqlFunction } from '#base/tx.ts';
import { readLink, type Position } from './chain.ts';
import { codeOf, readIfThere } from './disk.ts';
import type { Fault } from '#storage/fault.ts';
import { Image } from '#storage/image.ts';
import { corrupt, readRecords, type LogEnd, type LogHeader } from './journal.ts';
import type { KeyRing, Sealed, SealedHeader } from '#storage/sealing/keySlots.ts';
import { firstFile, list, logFile, tornFile, type Listing } from './layout.ts';
import { choosePath, readLogHeader, replay, type Log, type Root } from './logPath.ts';
import { createKeyTable } from '#storage/requestKeys.ts';
import { fileSeal } from '#storage/sealing/seal.ts';
import { readSnapshot, readSnapshotHeader, type SnapshotHeader } from './snapshot.ts';

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
  /** The newest snapshot was unreadable: a new one is due. */
  fellBack: boolean;
  /** What a person should know though nothing is lost. */
  warnings: string[];
};

export type RecoveryOptions = {
  folder: string;
  keys: KeyRing;
  functions: readonly SqlFunction[];
  fault: Fault;
  /**
   * `own`: the caller owns the folder; any damage throws. `view`: nothing on disk is touched, and whatever can be read
   * before the first damage is the state; `damage` is told what is left out.
   */
  mode: 'own' | 'view';
  damage?: (error: LoomError) => void;
};

/** Reads the drawer. A late predecessor may be removing files meanwhile: then its snapshot is there on the next look. */
export const recover = async (options: RecoveryOptions): Promise<Recovered> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await recoverOnce(options);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt >= 5) throw error;
    }
  }
};

/** How the drawer's files are sealed, newest first, as far as they are readable; none where it is new. */
export const sealedHeaders = (folder: string): SealedHeader[] => {
  const { logs, snapshots } = list(folder);
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

const recoverOnce = async (options: RecoveryOptions): Promise<Recovered> => {
  const listing = list(options.folder);
  options.fault('recover-listed');
  let first: LoomError | undefined;
  for (const epoch of [...listing.snapshots.toReversed(), 0]) {
    try {
      const state = await build(options, readBase(options, epoch, listing), listing);
      if (first === undefined) return state;
      return fallenBack(options, state, listing, first);
    } catch (error) {
      if (!(error instanceof LoomError) || error.code !== 'DRAWER_CORRUPT') throw error;
      // What is wrong with the newest is what a person has to know.
      first ??= error;
    }
  }
  throw first ?? corrupt('nothing in it is readable');
};

/** The newest snapshot rotted: the older one will do where it is proved that the journals reach as far as that one did. */
const fallenBack = (
  options: RecoveryOptions,
  state: Recovered,
  { snapshots, links }: Listing,
  error: LoomError,
): Recovered => {
  const lost = snapshots.at(-1) ?? 0;
  const proved = state.before >= lost || links.some((e) => e >= lost && readLink(options.folder, e).link?.at);
  if (!proved && options.mode === 'own') {
    state.image.close();
    throw error;
  }
  if (!proved) options.damage?.(error);
  const warning = `${error.message} The snapshot before it and the journals gave the whole state.`;
  return { ...state, fellBack: true, warnings: proved ? [warning, ...state.warnings] : state.warnings };
};

type Base = Root & {
  file: Uint8Array | undefined;
  sealed: Sealed | undefined;
  imported: boolean;
  alone: boolean;
};

const readBase = ({ folder, keys }: RecoveryOptions, epoch: number, listing: Listing): Base => {
  if (epoch > 0) {
    const header: SnapshotHeader | undefined = readSnapshotHeader(folder, epoch);
    if (header === undefined) throw Object.assign(new Error(`snapshot ${epoch} is gone`), { code: 'ENOENT' });
    const file = readSnapshot(folder, header, (sealed) => keys.dataKey(sealed));
    const { id, seq, chain, sealed, alone = false } = header;
    return { id, seq, chain, sealed, alone, epoch, file, imported: false };
  }
  const old = listing.logs.length + listing.snapshots.length === 0 ? readIfThere(firstFile(folder)) : undefined;
  const empty = { id: undefined, seq: 0, chain: 0, sealed: undefined, alone: false, epoch: 0 };
  return { ...empty, file: old, imported: old !== undefined };
};

const build = async (options: RecoveryOptions, base: Base, listing: Listing): Promise<Recovered> => {
  const { folder, functions, mode } = options;
  const damage = (error: unknown): void => {
    if (mode === 'own' || !(error instanceof LoomError)) throw error;
    options.damage?.(error);
  };
  const path = choosePath(folder, base, listing, damage);
  const image = await openImage(base, functions);
  const state = { seq: base.seq, chain: base.chain };
  const warnings: string[] = [];
  let end: LogEnd = { at: 0, torn: 0 };
  try {
    createKeyTable(image);
    for (const [index, log] of path.entries()) end = replayLog(options, image, log, path[index + 1]?.header, state);
    options.fault('recover-replayed');
    const lowest = lowerBound(folder, listing);
    if (state.seq < lowest) throw corrupt(`the journal ends at write ${state.seq}, but ${lowest} were acknowledged`);
  } catch (error) {
    if (mode === 'own') image.close();
    damage(error);
  }
  const last = path.at(-1)?.header;
  if (end.torn > 0) warnings.push(copyTorn(options, path.at(-1)!, end));
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
    fellBack: false,
    warnings,
  };
};

const openImage = async (base: Base, functions: readonly SqlFunction[]): Promise<Image> => {
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

const lowerBound = (folder: string, { links }: Listing): number =>
  Math.max(0, ...links.map((epoch) => readLink(folder, epoch).link?.at?.seq ?? 0));

const replayLog = (
  { folder, keys, mode }: RecoveryOptions,
  image: Image,
  log: Log,
  next: LogHeader | undefined,
  state: Position,
): LogEnd => {
  const { epoch, id, sealed } = log.header;
  if (next === undefined && mode === 'own') {
    // What was read must be on disk before anything is built on it; read again first, for it may have grown.
    log.bytes = readFileSync(logFile(folder, epoch));
    syncFile(logFile(folder, epoch));
  }
  const seal = sealed && fileSeal(keys.dataKey(sealed), id, 'log', epoch);
  const records = readRecords(log.bytes, log, seal, next);
  for (;;) {
    const step = records.next();
    if (step.done) return step.value;
    replay(image, step.value);
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

/** Keeps the torn end for a person; it was acknowledged to nobody. */
const copyTorn = ({ folder, mode }: RecoveryOptions, log: Log, { at, torn }: LogEnd): string => {
  const { epoch } = log.header;
  const copy = tornFile(folder, epoch);
  if (mode === 'own') {
    try {
      writeFileSync(copy, log.bytes.subarray(at), { flag: 'wx', mode: 0o600 });
    } catch {
      // It is there already, or the disk is full: the log itself still has it.
    }
  }
  return `The last write to journal ${epoch} was cut short (${torn} bytes, kept in ${copy}): a crash before it was acknowledged.`;
};
