import type { Finding } from '#storage/folder/doctor.ts';
import type { StoreHealth } from './health.ts';
import type { Keys, Sealing } from '#storage/sealing/keySlots.ts';
import type { Repaired } from '#storage/folder/repair.ts';
import type { Unlocked } from '#storage/folder/unlock.ts';

type Nothing = Record<string, never>;

/** What the drawer's file offers to the programs around it. */
export type StorageService = {
  health: (args: Nothing) => Promise<StoreHealth>;
  /** Writes a plain SQLite file; `missing` says what of a damaged drawer is not in it. */
  exportTo: (args: { file: string }) => Promise<{ bytes: number; missing: string[] }>;
  /** Seals the drawer anew, or opens it. The recovery key is for a person, once. */
  seal: (args: { sealing: Sealing }) => Promise<{ recoveryKey: string | undefined }>;
};

/** What works on the drawer's folder without opening it. */
export type FolderService = {
  /** What may open a sealed drawer, from the next try on. */
  setKeys: (args: { keys: Keys }) => void;
  diagnose: (args: Nothing) => Promise<Finding[]>;
  repair: (args: Nothing) => Promise<Repaired>;
  /** A person says that an owner on another machine is gone. */
  unlock: (args: { force: boolean }) => Unlocked;
};
