/**
 * A person says that an owner on another machine is gone. INVARIANT: this takes nothing from a live owner but its place:
 * the fence makes it step down, and what it acknowledged is read by its successor.
 */
import { LoomError } from '#base/errors.ts';
import { judge, publish, topLink, type Link } from '#storage/file/chain.ts';
import { noFault } from '#storage/fault.ts';
import { thisMachine } from '#storage/machine/machine.ts';
import type { Unlocked } from '#storage/types.ts';

/** Says in the owner's name that it is gone; false where somebody else was faster. */
export const release = (folder: string, epoch: number, link: Link): boolean => {
  const { nonce: _, damaged: __, ...rest } = link;
  return publish(folder, epoch + 1, { ...rest, released: true }, noFault);
};

/** Publishes a released link in the name of the owner on another machine. `force`: of this machine too. */
export const unlock = ({ folder, force = false }: { folder: string; force?: boolean }): Unlocked => {
  const { epoch, link } = topLink(folder);
  if (link === undefined)
    throw new LoomError('INVALID_ARGUMENTS', `Nobody holds the drawer in ${folder}; just open it.`);
  if (!force && judge(link, thisMachine()) !== 'foreign')
    throw new LoomError(
      'INVALID_ARGUMENTS',
      'The drawer is held or was held on this machine; opening it succeeds a dead owner by itself. There is nothing to unlock.',
    );
  if (!release(folder, epoch, link))
    throw new LoomError('INVALID_ARGUMENTS', 'Somebody else took the drawer meanwhile. Open it again.');
  return { host: link.host, epoch };
};
