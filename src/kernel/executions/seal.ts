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

/** Where a frame that begins at `at` ends; undefined where its length does not fit into the file. */
const frameEnd = (file: Buffer, at: number): number | undefined => {
  const end = at + headBytes + tagBytes + (at + headBytes <= file.length ? file.readUInt32BE(at) : Infinity);
  return end <= file.length ? end : undefined;
};

type FoundFrame = { at: number; n: number; plain: Buffer; next: number };

/** The first whole frame behind frame `n` at `at`, which is not: where that one says that it ends, or wherever one begins. */
const frameBehind = (key: Uint8Array, file: Buffer, at: number, n: number): FoundFrame | undefined => {
  const open = (from: number): FoundFrame | undefined => {
    const frame = openFrame(key, file, from, n + 1);
    return frame && { at: from, n: n + 1, ...frame };
  };
  const own = frameEnd(file, at);
  const next = own === undefined ? undefined : open(own);
  if (next) return next;
  for (let from = at + 1; from + headBytes + tagBytes <= file.length; from++) {
    // Opening is dear: only where lengths lead from it to a frame behind it, or to the end of the file.
    const end = frameEnd(file, from);
    if (end === undefined || (end < file.length && frameEnd(file, end) === undefined)) continue;
    const found = open(from);
    if (found) return found;
  }
  return undefined;
};

/**
 * The frames of a file, in order, as far as they are whole; in the place of one that is not, and has a whole one behind it,
 * how many bytes it takes. Answers where the last whole one ends.
 */
export const openFrames = function* (key: Uint8Array, file: Buffer): Generator<Buffer | number, number> {
  for (let at = 0, n = 0; ; n++) {
    let frame: { plain: Buffer; next: number } | undefined = openFrame(key, file, at, n);
    if (frame === undefined) {
      const found = at < file.length ? frameBehind(key, file, at, n) : undefined;
      if (found === undefined) return at;
      yield found.at - at;
      ({ n } = found);
      frame = found;
    }
    yield frame.plain;
    at = frame.next;
  }
};
