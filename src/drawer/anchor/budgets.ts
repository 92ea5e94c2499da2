import type { Tx } from '#base/tx.ts';
import type { Profile } from '#drawer/types.ts';
import { noSession } from '#drawer/sessions/sessions.ts';

/** Tokens of an anchor where the caller does not say. */
export const budgets: Readonly<Record<Profile, number>> = { strict: 900, balanced: 500, aggressive: 200 };

type ProfileArgs = { session: string; profile?: Profile | undefined };

/** The profile of a session, set first where one is given. */
export const sessionProfile = (tx: Tx, { session, profile }: ProfileArgs): Profile => {
  if (profile !== undefined) tx.run('update session set profile = ? where id = ?', [profile, session]);
  const row = tx.get<{ profile: Profile }>('select profile from session where id = ?', [session]);
  return row?.profile ?? noSession(session);
};
