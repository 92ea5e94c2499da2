/**
 * Goes on with what can be read of a damaged drawer. INVARIANTS
 * 1. Only on a person's word, and only where the drawer is damaged and nobody holds it.
 * 2. Nothing is deleted: the damaged files go to a folder beside the new ones.
 */
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { judge, topLink } from '#storage/file/chain.ts';
import { syncFolder } from '#storage/file/disk.ts';
import type { DoctorOptions } from './doctor.ts';
import { giveUp, takeSeat, type Seat } from '#storage/owner/election.ts';
import { noFault } from '#storage/fault.ts';
import { fileFormat } from '#storage/file/journal.ts';
import { KeyRing } from '#storage/sealing/keySlots.ts';
import { copyFile, snapshotFile } from '#storage/file/layout.ts';
import { thisMachine } from '#storage/machine/machine.ts';
import { sealedHeaders } from '#storage/file/recovery.ts';
import { salvage } from '#storage/file/salvage.ts';
import { writeSnapshot } from '#storage/file/snapshotWriter.ts';
import type { Repaired } from '#storage/types.ts';

export const repair = async ({ keys = () => ({}), ...about }: DoctorOptions): Promise<Repaired> => {
  const { folder } = about;
  const ring = new KeyRing(keys);
  await ring.open(sealedHeaders(folder));
  const top = topLink(folder);
  if (top.link && judge(top.link, thisMachine()) !== 'dead')
    throw new LoomError('INVALID_ARGUMENTS', 'The drawer is held by a program. Close it first, then repair.');
  const seat = await takeSeat(
    folder,
    top,
    { protocol: [0, 0], format: fileFormat, app: 'repair', machine: thisMachine() },
    noFault,
  );
  if (seat === undefined) throw new LoomError('INVALID_ARGUMENTS', 'Another program just took the drawer. Try again.');
  try {
    const state = await salvage({ ...about, keys: ring, fault: noFault });
    const { missing } = state;
    if (missing.length === 0) throw new LoomError('INVALID_ARGUMENTS', 'The drawer is whole: nothing to repair.');
    if (state.snapshot === 0 && state.logs === 0)
      throw new LoomError(
        'INVALID_ARGUMENTS',
        `Nothing of the drawer can be read, so there is nothing to go on with. Restore the folder from a copy; or move it away, and a new drawer begins. ${missing[0]?.message}`,
      );
    const aside = join(folder, `damaged.${seat.epoch}`);
    mkdirSync(aside, { mode: 0o700 });
    const dataKey = state.sealed && { sealed: state.sealed, key: ring.dataKey(state.sealed) };
    const image = state.image.export();
    state.image.close();
    // Numbers that were acknowledged are not given out again, though what they named is lost.
    const position = { id: state.id ?? '', epoch: seat.epoch, seq: state.seq, chain: 0, dataKey, alone: false };
    for (const name of [snapshotFile(folder, seat.epoch), copyFile(folder, seat.epoch)])
      await writeSnapshot(folder, name, position, image, noFault, () => seat.fence.stands());
    putAside(folder, aside, seat);
    return { missing: missing.map(({ message }) => message), aside };
  } finally {
    giveUp(seat, { folder, fault: noFault }, undefined);
  }
};

const putAside = (folder: string, aside: string, { epoch }: Seat): void => {
  for (const name of readdirSync(folder)) {
    const found = /^drawer\.(\d+)\.(?:log|sqlite|copy|torn)$/.exec(name);
    if (found && Number(found[1]) < epoch) renameSync(join(folder, name), join(aside, name));
  }
  syncFolder(aside);
  syncFolder(folder);
};
