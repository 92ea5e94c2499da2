/** A dead owner's successor: the drawer's owner, or a reader where nobody can own it. */
import type { Operations } from '#base/operation.ts';
import type { Mend } from '#base/tx.ts';
import { Superseded, type SeenLink } from '#storage/file/chain.ts';
import { fingerprint } from '#storage/file/layout.ts';
import { recover, sealedHeaders } from '#storage/file/recovery.ts';
import { takeSeat, type Identity } from '#storage/owner/election.ts';
import { Owner, type OwnerOptions } from '#storage/owner/owner.ts';
import { View, viewReason } from './view.ts';

export type Successor = OwnerOptions & { operations: Operations; identity: Identity; mend: Mend };

/** Succeeds the dead owner of `seen`; undefined where another did. */
export const takeOver = async (options: Successor, seen: SeenLink): Promise<Owner | View | undefined> => {
  const { folder, keys, identity, fault, operations } = options;
  // A key that does not fit must change nothing, not even a link.
  await keys.open(sealedHeaders(folder));
  try {
    const known = seen.link?.damaged;
    // What was found damaged before is, with its words of now; nobody has to become its owner to find that again.
    if (known !== undefined && known === fingerprint(folder))
      (await recover({ ...options, mode: 'view' })).image.close();
    const seat = await takeSeat(folder, seen, identity, fault);
    return seat && (await Owner.take(seat, options));
  } catch (error) {
    if (error instanceof Superseded) return undefined;
    const reason = viewReason(error);
    if (reason === undefined) throw error;
    return View.open(options, operations, reason);
  }
};
