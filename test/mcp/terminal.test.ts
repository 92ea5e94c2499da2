// What the command line writes, to a terminal and elsewhere.
import { expect, test } from 'vitest';
import { terminalOf } from '#cli/terminal.ts';

const written = (isTTY: boolean, ...pieces: (Uint8Array | string)[]): string => {
  const parts: Buffer[] = [];
  const out = { isTTY, write: (bytes: Uint8Array | string) => parts.push(Buffer.from(bytes)) };
  const { write } = terminalOf(out, out);
  for (const piece of pieces) write(piece);
  return Buffer.concat(parts).toString('latin1');
};
const latin = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['\x1b[2J\x07', '␛[2J␇'],
  ['a\tb\r\nc\n', 'a\tb\r\nc\n'],
  ['50%\r100%\n', '50%␍100%\n'],
  ['\u009b31m', '<U+009B>31m'],
  ['a\u202eb', 'a<U+202E>b'],
  ['prêt, 完了 🎉', 'prêt, 完了 🎉'],
])('%j', (text, shown) => {
  expect(written(true, text)).toBe(latin(shown));
  expect(written(false, text)).toBe(latin(text));
  // However it is cut on the way.
  expect(written(true, ...Array.from(Buffer.from(text), (byte) => Buffer.of(byte)))).toBe(latin(shown));
});
