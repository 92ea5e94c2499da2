/**
 * Who is at the other end. Only somebody who can read `owner.<e>` knows its secret, and both sides prove that they do
 * before either believes a word: others can connect to a named pipe on Windows, and an address may be used by a stranger
 * later on. INVARIANT: `hello`, `auth` and `yield` never change, whatever the protocol's number.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '#base/errors.ts';
import type { Versions } from '#storage/file/chain.ts';

export type ToOwner =
  | { t: 'hello'; protocol: Versions; nonce: string; app: string }
  | { t: 'auth'; mac: string }
  /** Instead of `auth`: this client is newer and asks the owner to let go of the folder. */
  | { t: 'yield'; mac: string; wants: number }
  | { t: 'call' | 'admin'; id: number; name: string; args: unknown; key: string; since?: number };

export type ToMember =
  | {
      t: 'hello';
      nonce: string;
      mac: string;
      owner: string;
      /** Of the folder as the owner sees it; see address.ts. */
      folder: string;
      protocol: Versions;
      epoch: number;
      seq: number;
      /** The protocols do not meet. */
      refused?: true;
    }
  | { t: 'answer'; id: number; seq: number; value: unknown }
  | { t: 'error'; id: number; seq: number; code: ErrorCode; message: string }
  /** Somebody committed something; several commits may share one. */
  | { t: 'changed'; seq: number };

export const macBy = (secret: string, by: 'owner' | 'client', challenge: string, own: string): string =>
  createHmac('sha256', secret).update(`${by} ${challenge} ${own}`).digest('hex');

export const sameMac = (expected: string, given: unknown): boolean => {
  const mac = Buffer.from(String(given));
  return mac.length === expected.length && timingSafeEqual(Buffer.from(expected), mac);
};

export const meet = (a: Versions, b: Versions): boolean => a[1] >= b[0] && b[1] >= a[0];
