/** What the storage itself does for a member, wherever the drawer is owned. All of it may be asked again after a failover. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import { newDataKey, type Sealing } from '#storage/sealing/keySlots.ts';
import type { OwnerHealth } from '#storage/health.ts';
import type { Owner } from './owner.ts';

export type Admin = {
  health: { args: undefined; answer: OwnerHealth };
  /** `alone`: nothing older than the new snapshot stays on disk. */
  checkpoint: { args: { alone: boolean }; answer: undefined };
  /** The recovery key is shown to a person, once. */
  seal: { args: { sealing: Sealing }; answer: { recoveryKey: string | undefined } };
  /** Gives the free pages back: sizes in bytes, before and after. */
  compact: { args: undefined; answer: { before: number; after: number } };
  export: { args: { file: string }; answer: { bytes: number } };
};
export type AdminName = keyof Admin;

const actions: { [N in AdminName]: (owner: Owner, args: Admin[N]['args']) => Promise<Admin[N]['answer']> } = {
  health: async (owner) => owner.health(),
  checkpoint: async (owner, { alone }) => {
    await owner.checkpoint(alone);
    return undefined;
  },
  seal: async (owner, { sealing }) => {
    let recoveryKey: string | undefined;
    await owner.reseal(async (id) => {
      if (sealing.kind === 'off') return undefined;
      const made = await newDataKey(id, sealing);
      recoveryKey = made.recoveryKey;
      return { sealed: made.sealed, key: made.key };
    });
    return { recoveryKey };
  },
  compact: (owner) => owner.compact(),
  export: async (owner, { file }) => {
    refuseExisting(file);
    return { bytes: writePlain(file, await owner.export()) };
  },
};

export const administer = <N extends AdminName>(
  owner: Owner,
  name: N,
  args: Admin[N]['args'],
): Promise<Admin[N]['answer']> =>
  Object.hasOwn(actions, name)
    ? actions[name](owner, args)
    : Promise.reject(
        new LoomError('DRAWER_PROTOCOL', `The owner of the drawer does not know "${name}". Reload its window.`),
      );

export const refuseExisting = (file: string): void => {
  if (existsSync(file)) throw new LoomError('INVALID_ARGUMENTS', `${file} exists. Name a file that does not.`);
};

/** A plain SQLite file, for whoever may read this user's files. */
export const writePlain = (file: string, image: Uint8Array): number => {
  try {
    writeFileSync(`${file}.part`, image, { mode: 0o600, flush: true });
    renameSync(`${file}.part`, file);
  } catch (error) {
    throw new LoomError('INVALID_ARGUMENTS', `${file} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return image.length;
};
