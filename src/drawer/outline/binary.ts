// The outline of binary content: what its first bytes say.
import type { Lines } from '#text/lines.ts';
import type { Outline } from './outline.ts';

const formats: [start: Buffer, name: string][] = [
  [Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'PNG picture'],
  [Buffer.from([0xff, 0xd8, 0xff]), 'JPEG picture'],
  [Buffer.from('GIF8'), 'GIF picture'],
  [Buffer.from('%PDF-'), 'PDF document'],
  [Buffer.from('PK\x03\x04'), 'ZIP archive (also of jar, docx, xlsx, whl, vsix)'],
  [Buffer.from([0x1f, 0x8b]), 'gzip data'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'zstd data'],
  [Buffer.from([0x7f, 0x45, 0x4c, 0x46]), 'ELF program or library'],
  [Buffer.from('\0asm', 'latin1'), 'WebAssembly module'],
  [Buffer.from('SQLite format 3\0'), 'SQLite database'],
  [Buffer.from([0xff, 0xfe]), 'UTF-16 text'],
  [Buffer.from([0xfe, 0xff]), 'UTF-16 text'],
];

/** What the first bytes say. */
// eslint-disable-next-line require-yield
export function* outlineBinary({ bytes }: Lines): Generator<void, Outline> {
  const format = formats.find(([start]) => bytes.subarray(0, start.length).equals(start));
  const hex = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/(..)(?=.)/g, '$1 ');
  return {
    title: 'binary content: ctx_get answers base64',
    entries: [{ text: `${format ? `by its first bytes: ${format[1]}` : 'unknown format'}; begins ${hex}`, rank: 0 }],
  };
}
