// Ends sessions with all they hold: those that a person names, and those that nobody used for long.
import type { SessionRow } from '#drawer/contents.ts';
import { documentId } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { PurgeArgs, Purged, SessionInfo } from '#drawer/types.ts';

export type PurgeDeps = {
  call: DrawerCall;
  /** Erases what was removed. */
  erase: () => Promise<void>;
  /** Leaves nothing on disk that is older than what the drawer holds now. */
  forgetOld: () => Promise<void>;
  ttlDays: () => number;
  now: () => number;
};

const dayMs = 86_400_000;
const mostNamed = 1_000;

/** What was last used before this moment has expired. */
const expiry = ({ ttlDays, now }: PurgeDeps): number => now() - ttlDays() * dayMs;

const withExpiry = (rows: readonly SessionRow[], { ttlDays, now }: PurgeDeps): SessionInfo[] => {
  const at = now();
  return rows.map((row) => {
    const expiresAt = row.usedAt + ttlDays() * dayMs;
    return { ...row, expiresAt, expired: expiresAt < at };
  });
};

/** All sessions, the one used last first. */
export const sessions = async (deps: PurgeDeps): Promise<SessionInfo[]> =>
  withExpiry(await deps.call('drawer.sessions', {}), deps);

const chosen = async (deps: PurgeDeps, session: string | undefined): Promise<SessionRow[]> => {
  if (session === undefined) return deps.call('drawer.expired', { before: expiry(deps) });
  await deps.call('drawer.sessionOrThrow', session);
  return deps.call('drawer.sessions', { ids: [session] });
};

const remove = async (deps: PurgeDeps, rows: readonly SessionRow[], { session, own }: PurgeArgs): Promise<void> => {
  const { call, forgetOld, now } = deps;
  const ids = rows.map(({ id }) => id);
  const at = now();
  const reason = session === undefined ? 'expired' : 'purged';
  await call('drawer.remove', { sessions: ids, reason, now: at });
  await deps.erase();
  // Whoever uses a session at this very moment finds it there; the next purge ends it.
  const before = session === undefined ? expiry(deps) : at + 1;
  await call('drawer.endSessions', { ids: ids.filter((id) => id !== own), before });
  await forgetOld();
};

/** Purges, or says what a purge would take. */
export const purge = async (deps: PurgeDeps, args: PurgeArgs): Promise<Purged> => {
  const rows = await chosen(deps, args.session);
  if (rows.length === 0) return { done: args.confirm, sessions: [], documents: [] };
  const documents = await deps.call('drawer.idsIn', { sessions: rows.map(({ id }) => id), most: mostNamed });
  if (args.confirm) await remove(deps, rows, args);
  return { done: args.confirm, sessions: withExpiry(rows, deps), documents: documents.map(documentId) };
};
