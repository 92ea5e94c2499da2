/** How a drawer lies on disk, and whether the keys at hand open it; nothing else of it is read. */
import { existsSync } from 'node:fs';
import { sealedHeaders } from '#storage/file/recovery.ts';
import { KeyRing, sealingKind } from '#storage/sealing/keySlots.ts';
import type { Sealing } from '#storage/types.ts';
import type { DoctorOptions } from './doctor.ts';

/** Throws `DRAWER_KEY` where none of the keys opens it. */
export const sealing = async ({
  folder,
  keys = () => ({}),
}: Pick<DoctorOptions, 'folder' | 'keys'>): Promise<Sealing['kind']> => {
  if (!existsSync(folder)) return 'off';
  const headers = sealedHeaders(folder);
  await new KeyRing(keys).open(headers);
  return sealingKind(headers[0]?.sealed);
};
