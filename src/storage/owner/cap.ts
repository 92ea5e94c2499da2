/** The size cap of the drawer. */
import { LoomError } from '#base/errors.ts';
import { megabytes } from '#base/text.ts';

/** Refuses a write that makes the drawer larger than its cap: bytes in use `before` it and `after`. */
export const refuseGrowth = (before: number, after: number, cap: number): void => {
  if (after <= cap || after <= before) return;
  throw new LoomError(
    'DRAWER_FULL',
    `The drawer would hold ${megabytes(after)} of at most ${megabytes(cap)}. Purge what is not needed (ctx_purge_session), or raise loom.drawer.maxSizeMB.`,
  );
};
