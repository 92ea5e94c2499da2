// What some bytes are, in steps that other work may come between: their hash, and their text.
import { createHash } from 'node:crypto';
import { characterStart } from '#base/utf8.ts';

const step = 1 << 20;

/** The SHA-256 of `bytes` in hex. */
export function* hash(bytes: Uint8Array): Generator<void, string> {
  const sum = createHash('sha256');
  for (let at = 0; at < bytes.length; at += step) {
    sum.update(bytes.subarray(at, at + step));
    yield;
  }
  return sum.digest('hex');
}

/** `bytes` as a string; what is no UTF-8 becomes U+FFFD. A byte order mark stays. */
export function* decode(bytes: Buffer): Generator<void, string> {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = characterStart(bytes, at + step);
    parts.push(bytes.toString('utf8', at, end));
    at = end;
    yield;
  }
  return parts.join('');
}
