// The drawer's sessions: one for each kind of client in each folder.
import { randomBytes } from 'node:crypto';
import { LoomError } from '#base/errors.ts';
import type { Tx } from '#base/tx.ts';
import type { SessionRow } from '#drawer/contents.ts';
import type { Profile } from '#drawer/types.ts';

export type SessionArgs = {
  client: string;
  root: string;
  /** The id that a new session gets. */
  id: string;
  /** Milliseconds since 1970. */
  now: number;
};

/** A session's last use is noted to the minute: every call of a tool opens it. */
const minuteMs = 60_000;

/** The session of `client` in `root`, made at its first use. */
export const openSession = (tx: Tx, { client, root, id, now }: SessionArgs): string => {
  const known = tx.get<{ id: string; used_at: number }>(
    'select id, used_at from session where client = ? and root = ?',
    [client, root],
  );
  if (known && known.used_at > now - minuteMs) return known.id;
  tx.run(
    `insert into session (id, client, root, created_at, used_at) values (?1, ?2, ?3, ?4, ?4)
      on conflict (client, root) do update set used_at = max(used_at, excluded.used_at)`,
    [id, client, root, now],
  );
  return known?.id ?? id;
};

const listed = `select session.id, client, root, created_at as createdAt, used_at as usedAt,
    count(document.id) as documents, coalesce(sum(bytes), 0) as bytes, coalesce(sum(keep), 0) as kept
  from session left join document on document.session = session.id and complete = 1`;

/** Every session, the one used last first; or those of `ids`. */
export const listSessions = (tx: Tx, { ids }: { ids?: readonly string[] | undefined }): SessionRow[] =>
  tx.all<SessionRow>(
    `${listed} where ?1 is null or session.id in (select value from json_each(?1))
      group by session.id order by used_at desc, session.id`,
    [ids === undefined ? null : JSON.stringify(ids)],
  );

/** Sessions that nobody used since `before`. */
export const expiredSessions = (tx: Tx, { before }: { before: number }): SessionRow[] =>
  tx.all<SessionRow>(`${listed} where used_at < ? group by session.id order by used_at, session.id`, [before]);

/** Ends sessions that hold nothing any more; one that was used again after `before` stays. */
export const endSessions = (tx: Tx, { ids, before }: { ids: readonly string[]; before: number }): void => {
  tx.run(
    `delete from session where id in (select value from json_each(?)) and used_at < ?
      and not exists (select 1 from document where session = session.id)`,
    [JSON.stringify(ids), before],
  );
};

const noSession = (id: string): never => {
  throw new LoomError(
    'NOT_FOUND',
    `There is no session ${id.slice(0, 60)}; ctx_list_sessions names those there are. If it was yours it has just been purged: call again.`,
  );
};

export const sessionOrThrow = (tx: Tx, id: string): void => {
  if (!tx.get('select 1 from session where id = ?', [id])) noSession(id);
};

type ProfileArgs = { session: string; profile?: Profile | undefined };

/** The profile of a session, set first where one is given. */
export const sessionProfile = (tx: Tx, { session, profile }: ProfileArgs): Profile => {
  if (profile !== undefined) tx.run('update session set profile = ? where id = ?', [profile, session]);
  const row = tx.get<{ profile: Profile }>('select profile from session where id = ?', [session]);
  return row?.profile ?? noSession(session);
};

/** A UUID of version 7 (RFC 9562): sorted by the time `now`, in milliseconds, with 74 random bits. */
export const uuidv7 = (now: number): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
};
