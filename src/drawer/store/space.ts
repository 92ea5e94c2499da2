// Free space in the drawer: what could never fit is refused, and at the cap the oldest documents go.
import { LoomError } from '#base/errors.ts';
import { counted, megabytes } from '#base/text.ts';
import { documentId } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { DrawerPolicy } from '#drawer/policy.ts';

/** The drawer's image: what is in use and its cap, in bytes. */
export type Size = { imageBytes: number; maxBytes: number };

export type SpaceDeps = {
  call: DrawerCall;
  /** Erases what was removed. */
  erase: () => Promise<void>;
  /** Undefined: there is no cap. */
  size?: (() => Promise<Size>) | undefined;
  policy: () => DrawerPolicy;
  now: () => number;
};

/** Content and index in the image, for each byte of content: an upper estimate. */
const growth = 1.5;
/** Once something must go, a little more goes, so that the next store need not begin again. */
const spare = 0.05;

/** Refuses what the whole drawer has no space for, before any work is done for it. */
export const refuseTooLarge = async ({ size }: SpaceDeps, bytes: number, what: string): Promise<void> => {
  const maxBytes = (await size?.())?.maxBytes ?? Infinity;
  if (bytes * growth <= maxBytes) return;
  throw new LoomError(
    'TOO_LARGE',
    `${what} has ${counted(bytes, 'byte')} and would take about ${megabytes(bytes * growth)} with its index; the whole ` +
      `drawer may have ${megabytes(maxBytes)}. Store parts of it, or raise loom.drawer.maxSizeMB (LOOM_MAX_MB).`,
  );
};

const refuse = ({ imageBytes, maxBytes }: Size, need: number, why: string): never => {
  throw new LoomError(
    'DRAWER_FULL',
    `The drawer holds ${megabytes(imageBytes)} of at most ${megabytes(maxBytes)}, and about ${megabytes(need)} more are ` +
      `needed. ${why} Purge a session (ctx_list_sessions, ctx_purge_session), or raise loom.drawer.maxSizeMB (LOOM_MAX_MB).`,
  );
};

/**
 * Makes space for `bytes` of content: expired sessions go first, then the oldest documents that nobody wants kept. Answers
 * which went. Refuses where nothing more may go.
 */
export const makeSpace = async (deps: SpaceDeps, bytes: number, expire: () => Promise<unknown>): Promise<string[]> => {
  const { call, size, policy, now } = deps;
  const evicted: number[] = [];
  const need = bytes * growth;
  for (let round = 0; size !== undefined; round++) {
    const at = await size();
    const over = at.imageBytes + (await call('drawer.pending', undefined)) + need - at.maxBytes;
    if (over <= 0) break;
    if (policy().whenFull === 'refuse') refuse(at, need, 'Nothing is evicted (loom.drawer.whenFull is "refuse").');
    if (round === 0) {
      await expire();
      continue;
    }
    const chosen = await call('drawer.evictable', { bytes: over + spare * at.maxBytes });
    if (chosen.length === 0) refuse(at, need, 'All that is left is marked keep.');
    const documents = chosen.map(({ id }) => id);
    await call('drawer.remove', { documents, reason: 'evicted', now: now() });
    await deps.erase();
    evicted.push(...documents);
  }
  return evicted.map(documentId);
};
