// How outputs are sealed on disk: a frame is its length, ciphertext and tag.
import { createCipheriv, createDecipheriv } from 'node:crypto';

export const keyBytes = 32;
const tagBytes = 16;
const headBytes = 4;

/** Frames of an output's file, and its end beside it. Each kind is numbered, and no number seals two contents under one key. */
type Kind = 'frame' | 'end';

const nonce = (n: number, kind: Kind): Buffer => {
  const bytes = Buffer.alloc(12);
  if (kind === 'end') bytes[0] = 1;
  bytes.writeUIntBE(n, 6, 6);
  return bytes;
};

export const sealFrame = (key: Uint8Array, n: number, plain: Uint8Array, kind: Kind = 'frame'): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(n, kind));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(sealed.length);
  return Buffer.concat([head, sealed, cipher.getAuthTag()]);
};

/** The frame that begins at `at`, and where the next one does; undefined where none is whole. */
export const openFrame = (
  key: Uint8Array,
  file: Buffer,
  at: number,
  n: number,
  kind: Kind = 'frame',
): { plain: Buffer; next: number } | undefined => {
  if (at + headBytes > file.length) return undefined;
  const end = at + headBytes + file.readUInt32BE(at);
  if (end + tagBytes > file.length) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(n, kind));
  decipher.setAuthTag(file.subarray(end, end + tagBytes));
  try {
    const plain = Buffer.concat([decipher.update(file.subarray(at + headBytes, end)), decipher.final()]);
    return { plain, next: end + tagBytes };
  } catch {
    return undefined;
  }
};

/** The frames of a file, in order, up to the first that is cut short or damaged. Answers how many bytes they take. */
export const openFrames = function* (key: Uint8Array, file: Buffer): Generator<Buffer, number> {
  let at = 0;
  for (let n = 0; ; n++) {
    const frame = openFrame(key, file, at, n);
    if (frame === undefined) return at;
    yield frame.plain;
    at = frame.next;
  }
};
