/**
 * Who is at the other end. Only somebody who can read `owner.<e>` knows its secret, and both sides prove that they do
 * before either believes a word: others can connect to a named pipe on Windows, and an address may be used by a stranger
 * later on. INVARIANT: `hello`, `auth` and `yield` never change, whatever the protocol's number.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { LoomError, type ErrorCode } from '#base/errors.ts';
import type { Versions } from '#storage/file/chain.ts';

export type ToOwner =
  | { t: 'hello'; protocol: Versions; nonce: string; app: string }
  | { t: 'auth'; mac: string }
  /** Asks the owner to let go of the folder: instead of `auth` as a newer program, after it for what the owner does not know. */
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
  /** `unknown`: the owner has no operation of this name. A client that has it may ask for the folder. */
  | { t: 'error'; id: number; seq: number; code: ErrorCode; message: string; unknown?: true }
  /** Somebody committed something; several commits may share one. */
  | { t: 'changed'; seq: number };

/** The owner is older than who asked, or has other rooms. */
export class UnknownOperation extends LoomError {
  constructor(name: string) {
    const words = `The program that holds the drawer does not know "${name}". Reload its window, or update that Loom.`;
    super('DRAWER_PROTOCOL', words);
  }
}

export const macBy = (secret: string, by: 'owner' | 'client', challenge: string, own: string): string =>
  createHmac('sha256', secret).update(`${by} ${challenge} ${own}`).digest('hex');

export const sameMac = (expected: string, given: unknown): boolean => {
  const mac = Buffer.from(String(given));
  return mac.length === expected.length && timingSafeEqual(Buffer.from(expected), mac);
};

export const meet = (a: Versions, b: Versions): boolean => a[1] >= b[0] && b[1] >= a[0];
