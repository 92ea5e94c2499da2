/** The storage's door: opens a drawer, wherever it is owned. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { silentLog, type Log } from '#base/log.ts';
import type { Call, Operations } from '#base/operation.ts';
import type { Mend, RoomMigrations, SqlFunction } from '#base/tx.ts';
import { refuseExisting, writePlain } from '#storage/owner/admin.ts';
import type { Versions } from '#storage/file/chain.ts';
import { isThere } from './folder/unreadable.ts';
import { noFault, type Fault } from './fault.ts';
import { expectFolder } from '#storage/folder/expectFolder.ts';
import { networkFileSystem } from '#storage/file/filesystem.ts';
import { health } from './health.ts';
import { fileFormat } from '#storage/file/journal.ts';
import { KeyRing } from '#storage/sealing/keySlots.ts';
import { thisMachine, type Machine } from '#storage/machine/machine.ts';
import { Member } from '#storage/member/member.ts';
import type { Compacted, Keys, Resealed, Sealing, StoreHealth } from './types.ts';

export type StoreOptions<O extends Operations> = {
  /** The drawer's folder; made where it is missing. */
  folder: string;
  operations: O;
  /** Of every room whose tables this program knows. */
  migrations: readonly RoomMigrations[];
  functions: readonly SqlFunction[];
  /** Where the drawer is damaged, looks at what was saved of it. */
  mend?: Mend;
  /** Called after every commit, whoever made it; several commits may share one call. */
  onChange?: () => void;
  /** What may open a sealed drawer; asked when this program is about to own it. */
  keys?: () => Keys | Promise<Keys>;
  /** Called with the recovery key of a new drawer, where the keys asked for one: for a person, and never for a log. */
  onRecoveryKey?: (key: string) => void;
  log?: Log;
  /** Most bytes of SQLite image, asked for at each write: those that would grow it beyond are refused. 200 MB where left out. */
  maxBytes?: () => number;
  /** Operations that run at the cap too: what frees space, what finishes something accepted, small records. */
  uncapped?: readonly (keyof O & string)[];
  /** Of the operations and what they mean. A program that speaks another one asks this one to let go, or is refused. */
  protocol?: Versions;
  /** Loom's version, for a person. */
  app?: string;
  /** Milliseconds to find the owner or become it. */
  openMs?: number;
  /** Never owns the drawer itself. */
  clientOnly?: boolean;
  /** Milliseconds that an owner is waited for whose process is stopped; then it is succeeded. 15 s where left out. */
  stoppedMs?: number;
  /** For tests: the journal's length that asks for a checkpoint, faults, another machine, another format, a mount. */
  checkpointBytes?: number;
  fault?: Fault;
  machine?: Machine;
  format?: number;
  network?: (folder: string) => string | undefined;
};

export type Store<O extends Operations> = {
  call: Call<O>;
  health: () => Promise<StoreHealth>;
  /** A snapshot now. `alone`: nothing older stays on disk, so that what was purged is gone. */
  checkpoint: (options?: { alone?: boolean }) => Promise<void>;
  /** Gives free space back to the disk. */
  compact: () => Promise<Compacted>;
  /** Seals the drawer anew or opens it, at once; old files go. */
  seal: (sealing: Sealing) => Promise<Resealed>;
  /** Writes a plain SQLite file. `missing` says what could not be read of a damaged drawer. */
  exportTo: (file: string) => Promise<{ bytes: number; missing: string[] }>;
  close: () => Promise<void>;
};

const defaultCap = 200 * 2 ** 20;
/** What the storage's own operations are; a program passes its own where its operations change. */
const defaultProtocol: Versions = [1, 1];

/** Makes the folder, and refuses one whose caches would break the drawer. */
const prepareFolder = (folder: string, network: (folder: string) => string | undefined): void => {
  expectFolder(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // Where the way to it is closed, nobody can tell whether it is there.
    isThere(folder);
    throw new LoomError('DRAWER_UNWRITABLE', `${folder} cannot be made: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const name = network(folder);
  if (name === undefined) return;
  throw new LoomError(
    'DRAWER_NETWORK',
    `${folder} lies on a network file system (${name}), whose caches would break the drawer. Set LOOM_DB to a folder on a local disk.`,
  );
};

const memberOf = <O extends Operations>(options: StoreOptions<O>): Member =>
  new Member({
    folder: options.folder,
    operations: options.operations,
    migrations: options.migrations,
    functions: options.functions,
    mend: options.mend ?? (() => []),
    keys: new KeyRing(options.keys ?? (() => ({})), options.log),
    onRecoveryKey: options.onRecoveryKey ?? (() => undefined),
    maxBytes: options.maxBytes ?? (() => defaultCap),
    uncapped: new Set(options.uncapped),
    checkpointBytes: options.checkpointBytes,
    fault: options.fault ?? noFault,
    log: options.log ?? silentLog,
    onChange: options.onChange ?? (() => undefined),
    openMs: options.openMs ?? 60_000,
    clientOnly: options.clientOnly ?? false,
    stoppedMs: options.stoppedMs ?? 15_000,
    identity: {
      protocol: options.protocol ?? defaultProtocol,
      format: options.format ?? fileFormat,
      app: options.app ?? '',
      machine: options.machine ?? thisMachine(),
    },
  });

/** Opens the drawer in `folder`: as its owner, as a client of whoever is, or for reading only where nobody can be. */
export const openStore = async <O extends Operations>(options: StoreOptions<O>): Promise<Store<O>> => {
  prepareFolder(options.folder, options.network ?? networkFileSystem);
  const member = memberOf(options);
  await member.attach().catch(async (error: unknown) => {
    await member.close();
    throw error;
  });
  return {
    call: ((name: string, args: unknown, call) => member.call(name, args, call)) as Call<O>,
    health: () => health(options.folder, member),
    checkpoint: async ({ alone = false } = {}) => {
      await member.admin('checkpoint', { alone });
    },
    compact: () => member.admin('compact', undefined),
    seal: (sealing) => member.admin('seal', { sealing }),
    exportTo: async (name) => {
      // The owner writes it, which may run elsewhere.
      const file = resolve(name);
      const { view } = member;
      if (view === undefined) return { ...(await member.admin('export', { file })), missing: [] };
      refuseExisting(file);
      return { bytes: writePlain(file, view.export()), missing: view.missing.map(({ message }) => message) };
    },
    close: () => member.close(),
  };
};
