/** What the storage itself does for a member, wherever the drawer is owned. All of it may be asked again after a failover. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import { newDataKey, type DataKey } from '#storage/sealing/keySlots.ts';
import type { Admin, AdminName, Compacted, OwnerHealth } from '#storage/types.ts';
import { UnknownOperation } from '#storage/wire/handshake.ts';

/** What of the owner it needs. */
type Administered = {
  health: () => OwnerHealth;
  checkpoint: (alone: boolean) => Promise<void>;
  compact: () => Promise<Compacted>;
  reseal: (make: (id: string) => Promise<DataKey | undefined>) => Promise<void>;
  export: () => Promise<Uint8Array>;
};

const actions: { [N in AdminName]: (owner: Administered, args: Admin[N]['args']) => Promise<Admin[N]['answer']> } = {
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
  owner: Administered,
  name: N,
  args: Admin[N]['args'],
): Promise<Admin[N]['answer']> =>
  Object.hasOwn(actions, name) ? actions[name](owner, args) : Promise.reject(new UnknownOperation(name));

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
