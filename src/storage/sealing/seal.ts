/**
 * Sealing at rest with AES-256-GCM. INVARIANTS
 * 1. Each file is sealed under a key of its own, derived from the drawer's data key, the kind of file and its epoch: what
 *    is moved to another file, drawer or place in a file does not open there (the place is authenticated with it).
 * 2. Nonces are random, never counted: a record that is written again after a failed write has the same number.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals or opens the pieces of one file. `place` says where in the file a piece belongs. */
export type Seal = {
  close: (plain: Uint8Array, place: Uint8Array) => Buffer;
  /** Throws where the bytes were changed or belong elsewhere. */
  open: (sealed: Uint8Array, place: Uint8Array) => Buffer;
};

const nonceLength = 12;
const tagLength = 16;
/** How much longer a sealed piece is. */
export const sealOverhead = nonceLength + tagLength;

/** AES-256-GCM under one key. */
export const sealWith = (key: Uint8Array): Seal => ({
  close: (plain, place) => {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(place);
    const sealed = cipher.update(plain);
    cipher.final();
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
  },
  open: (sealed, place) => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength));
    decipher.setAAD(place);
    decipher.setAuthTag(sealed.subarray(-tagLength));
    const plain = decipher.update(sealed.subarray(nonceLength, -tagLength));
    decipher.final();
    return plain;
  },
});

export const derive = (key: Uint8Array, salt: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.from(salt), Buffer.from(purpose), 32));

/** The seal of one file of the drawer `id`. */
export const fileSeal = (dataKey: Uint8Array, id: string, kind: 'log' | 'snapshot', epoch: number): Seal =>
  sealWith(derive(dataKey, id, `loom ${kind} ${epoch}`));
