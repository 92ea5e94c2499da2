/** The size cap of the drawer. */
import { LoomError } from '#base/errors.ts';

/** Refuses a write that makes the drawer larger than its cap: bytes in use `before` it and `after`. */
export const refuseGrowth = (before: number, after: number, cap: number): void => {
  if (after <= cap || after <= before) return;
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  throw new LoomError(
    'DRAWER_FULL',
    `The drawer would hold ${mb(after)} of at most ${mb(cap)}. Purge what is not needed (ctx_purge_session), or raise loom.drawer.maxSizeMB.`,
  );
};
