/** A dead owner's successor: the drawer's owner, or a reader where nobody can own it. */
import type { LoomError } from '#base/errors.ts';
import type { Operations } from '#base/operation.ts';
import { Superseded, type SeenLink } from '#storage/file/chain.ts';
import { corrupt } from '#storage/file/journal.ts';
import { fingerprint } from '#storage/file/layout.ts';
import { recover, sealedHeaders } from '#storage/file/recovery.ts';
import { takeSeat, type Identity } from '#storage/owner/election.ts';
import { Owner, type OwnerOptions } from '#storage/owner/owner.ts';
import { View, viewReason } from './view.ts';

export type Successor = OwnerOptions & { operations: Operations; identity: Identity };

/** Succeeds the dead owner of `seen`; undefined where another did. */
export const takeOver = async (options: Successor, seen: SeenLink): Promise<Owner | View | undefined> => {
  const { folder, keys, identity, fault, operations } = options;
  // A key that does not fit must change nothing, not even a link.
  await keys.open(sealedHeaders(folder));
  try {
    const known = seen.link?.damaged;
    if (known !== undefined && known === fingerprint(folder)) throw await damage(options);
    const seat = await takeSeat(folder, seen, identity, fault);
    return seat && (await Owner.take(seat, options));
  } catch (error) {
    if (error instanceof Superseded) return undefined;
    const reason = viewReason(error);
    if (reason === undefined) throw error;
    return View.open(options, operations, reason);
  }
};

/** What was found damaged before, in the words of now. */
const damage = async ({ folder, keys, functions, fault }: Successor): Promise<LoomError> => {
  let first: LoomError | undefined;
  const { image } = await recover({ folder, keys, functions, fault, mode: 'view', damage: (e) => (first ??= e) });
  image.close();
  return first ?? corrupt('it could not be read when it was opened last');
};
