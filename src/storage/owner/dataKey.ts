/** Which drawer an owner begins with, and what its files are sealed with. */
import { randomUUID } from 'node:crypto';
import type { Log } from '#base/log.ts';
import type { Recovered } from '#storage/file/recovery.ts';
import type { DataKey, KeyRing } from '#storage/sealing/keySlots.ts';

export type Begun = { id: string; dataKey: DataKey | undefined };
type Options = { keys: KeyRing; log: Log; onRecoveryKey: (key: string) => void };

/** A new drawer gets its id, and a key where it must be sealed: from its first byte, for nothing of it is on disk yet. */
export const begin = async (from: Recovered, { keys, log, onRecoveryKey }: Options): Promise<Begun> => {
  const { sealed, imported, id = randomUUID() } = from;
  if (from.id !== undefined || imported) return { id, dataKey: sealed && { sealed, key: keys.dataKey(sealed) } };
  const dataKey = await keys.forNew(id);
  // Before it holds anything: a key that is told in vain harms nobody, one that was lost is missed too late.
  if (dataKey?.recoveryKey !== undefined) onRecoveryKey(dataKey.recoveryKey);
  else if (dataKey)
    log.warn('The new drawer is sealed with LOOM_DB_PASSWORD. It has no recovery key yet: `loom seal` makes one.');
  return { id, dataKey };
};
