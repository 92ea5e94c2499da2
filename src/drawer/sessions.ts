import { randomBytes } from 'node:crypto';
import type { Tx } from '#base/tx.ts';

export type SessionArgs = {
  client: string;
  root: string;
  /** The id that a new session gets. */
  id: string;
  /** Milliseconds since 1970. */
  now: number;
};

/** The session of `client` in `root`, made at its first use. */
export const openSession = (tx: Tx, { client, root, id, now }: SessionArgs): string => {
  tx.run(
    `insert into session (id, client, root, created_at, used_at) values (?1, ?2, ?3, ?4, ?4)
      on conflict (client, root) do update set used_at = max(used_at, excluded.used_at)`,
    [id, client, root, now],
  );
  return tx.get<{ id: string }>('select id from session where client = ? and root = ?', [client, root])?.id ?? id;
};

/** A UUID of version 7 (RFC 9562): sorted by the time `now`, in milliseconds, with 74 random bits. */
export const uuidv7 = (now: number): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
};
