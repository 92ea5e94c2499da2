import { createCipheriv, createDecipheriv } from 'node:crypto';

export const keyBytes = 32;
const tagBytes = 16;
const headBytes = 4;

/** Frames are numbered, and no key seals two of the same number. */
const nonce = (n: number): Buffer => {
  const bytes = Buffer.alloc(12);
  bytes.writeUIntBE(n, 6, 6);
  return bytes;
};

/** `plain` as the frame `n` of a file: length, ciphertext, tag. */
export const sealFrame = (key: Uint8Array, n: number, plain: Uint8Array): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(n));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(sealed.length);
  return Buffer.concat([head, sealed, cipher.getAuthTag()]);
};

/** The frames of a file, opened, in order. A last one that a crash cut short is left out; any other fault throws. */
export const openFrames = function* (key: Uint8Array, file: Buffer): Generator<Buffer> {
  for (let at = 0, n = 0; at + headBytes <= file.length; n++) {
    const end = at + headBytes + file.readUInt32BE(at);
    if (end + tagBytes > file.length) return;
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(n));
    decipher.setAuthTag(file.subarray(end, end + tagBytes));
    yield Buffer.concat([decipher.update(file.subarray(at + headBytes, end)), decipher.final()]);
    at = end + tagBytes;
  }
};
