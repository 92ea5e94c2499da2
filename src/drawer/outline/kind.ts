// What kind of content some bytes are.
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import type { Lines } from '#text/lines.ts';
import { separatorOf } from './separator.ts';
import type { Kind } from '#drawer/contents.ts';

const byExtension: Record<string, Kind> = {
  '.log': 'log',
  '.json': 'json',
  '.jsonl': 'ndjson',
  '.ndjson': 'ndjson',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.diff': 'diff',
  '.patch': 'diff',
  '.html': 'html',
  '.htm': 'html',
};

const codeExtensions = new Set(
  (
    '.ts .tsx .mts .cts .js .jsx .mjs .cjs .py .pyi .go .rs .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .cs .swift ' +
    '.rb .php .lua .sh .bash .zsh .ps1 .sql .vue .svelte .dart .ex .exs .zig'
  ).split(' '),
);

/** Lines that a guess looks at: from the beginning, and as many from the middle. */
const sampled = 100;
const sampleBytes = 65_536;

/** Bytes that no text has, but for the NUL that a log catches now and then. */
const controlShare = (bytes: Uint8Array): number => {
  let control = 0;
  for (const byte of bytes) if (byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) control++;
  return bytes.length === 0 ? 0 : control / bytes.length;
};

const magic = [
  Buffer.from([0x89, 0x50, 0x4e, 0x47]),
  Buffer.from('%PDF-'),
  Buffer.from('PK\x03\x04'),
  Buffer.from([0x1f, 0x8b]),
  Buffer.from([0x7f, 0x45, 0x4c, 0x46]),
  Buffer.from('SQLite format 3\0'),
];

const isBinary = (bytes: Buffer): boolean => {
  if (magic.some((start) => bytes.subarray(0, start.length).equals(start))) return true;
  const middle = bytes.length >> 1;
  const sample = Buffer.concat([bytes.subarray(0, sampleBytes), bytes.subarray(middle, middle + sampleBytes)]);
  const control = controlShare(sample);
  return control > 0.1 || (control > 0.01 && !isUtf8(bytes.subarray(0, sampleBytes)));
};

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const share = (lines: readonly string[], pattern: RegExp): number =>
  lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length;

const stamp =
  /^\W{0,3}(\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d|\d{1,3}(\.\d{1,3}){3} .*\[\d\d\/\w{3}\/)/;
const level = /^\W{0,3}(?:\S+ ){0,4}\W?(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b/;
const heading = /^#{1,6} \S/;
const keyLine = /^\s*(- )?["']?[\w./-]+["']?:(\s|$)|^\s*- \S|^\s*#/;
const codeLine =
  /^\s*(import |from \S+ import |export |const |let |var |function |class |def |fn |func |pub |package |#include |using |return |if \(|for \(|public |private |struct |interface |type \w+ =)|[{};]\s*$/;

const looksLikeJson = (lines: Lines): boolean => {
  const { bytes } = lines;
  const head = bytes
    .toString('utf8', 0, 2048)
    .replace(/^\uFEFF/, '')
    .trimStart();
  const tail = bytes.toString('utf8', Math.max(0, bytes.length - 64)).trimEnd();
  if (/^\{\s*("|\})/.test(head)) return tail.endsWith('}');
  return /^\[\s*(["[{\]\d-]|true|false|null)/.test(head) && tail.endsWith(']');
};

const looksLikeNdjson = (sample: readonly string[]): boolean =>
  sample.length >= 2 && sample.slice(0, 5).every((line) => /^\s*[[{].*[\]}]\s*$/.test(line) && parses(line));

type Guess = { kind: Kind; looksRight: (sample: readonly string[], lines: Lines) => boolean };

/** Tried in this order; the first that looks right. */
const guesses: Guess[] = [
  { kind: 'diff', looksRight: (sample) => sample.some((line) => /^(diff --git |@@ -\d+(,\d+)? \+\d)/.test(line)) },
  { kind: 'ndjson', looksRight: looksLikeNdjson },
  { kind: 'json', looksRight: (_, lines) => looksLikeJson(lines) },
  { kind: 'html', looksRight: ([first = '']) => /^\s*<(!doctype html|html|head|body)\b/i.test(first) },
  { kind: 'log', looksRight: (sample) => share(sample, stamp) > 0.3 || share(sample, level) > 0.3 },
  { kind: 'code', looksRight: ([first = '']) => first.startsWith('#!') },
  {
    kind: 'markdown',
    looksRight: (sample) => sample.filter((line) => heading.test(line)).length >= 2 && share(sample, codeLine) < 0.3,
  },
  { kind: 'csv', looksRight: (sample) => separatorOf(sample) !== undefined },
  { kind: 'code', looksRight: (sample) => sample.length >= 5 && share(sample, codeLine) > 0.3 },
  { kind: 'yaml', looksRight: (sample) => sample[0] === '---' || (sample.length >= 5 && share(sample, keyLine) > 0.8) },
];

const sampleOf = (lines: Lines): string[] => {
  const middle = Math.max(sampled, lines.count >> 1);
  const numbers = [...Array(sampled).keys(), ...Array.from({ length: sampled }, (_, i) => middle + i)];
  return numbers
    .filter((number) => number < lines.count)
    .map((number) => lines.text(number, sampleBytes))
    .filter((line) => line.trim() !== '');
};

/** What kind of content it is, by the file's name where that says it, else by a look at the lines. */
export const kindOf = (name: string, lines: Lines): Kind => {
  if (isBinary(lines.bytes)) return 'binary';
  const extension = extname(name).toLowerCase();
  const named = codeExtensions.has(extension) ? 'code' : byExtension[extension];
  const sample = sampleOf(lines);
  if (named === 'json' && looksLikeNdjson(sample)) return 'ndjson';
  return named ?? guesses.find(({ looksRight }) => looksRight(sample, lines))?.kind ?? 'plain';
};
