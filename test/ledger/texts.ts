import { below, pick } from './random.ts';

const range = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => String.fromCodePoint(first + i));

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const alphabets: readonly (readonly string[])[] = [
  lower.split(''),
  (lower + upper).split(''),
  '0123456789'.split(''),
  '0123456789abcdef'.split(''),
  `${lower}${upper}0123456789+/`.split(''),
  '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~'.split(''),
  ["'s", "'S", "'re", "'VE", "'ll", "'", "''d", 'it', 'I', "don't", 'ſ'],
  [' ', '  ', '\t', '\n', '\r\n', '\n\n', '\r', '\u00a0', '\u3000', '\u2028', '\v', '\u0085', '\ufeff'],
  [' \n/', '!\n', '/\n', '\n/ ', ' /', 'a/', "'\n", '\n\t', '. '],
  range(0xe0, 30),
  range(0x3b1, 24),
  range(0x430, 32),
  range(0x5d0, 27),
  range(0x627, 36),
  range(0x915, 60),
  ['क', '्', 'ि', 'e\u0301', 'ǅ', 'ʰ', '\u0308', '\u200d', '\ufe0f'],
  range(0x4e00, 400),
  range(0x3041, 80),
  range(0xac00, 300),
  range(0x1f600, 60),
  ['👨‍👩‍👧', '🏳️‍🌈', '👍🏽', '🇨🇭', '𝔘', '𠀀'],
  ['\ud800', '\udc00', '\ud83d', '\ufffd', '\0', '\u0007', '\ufeff'],
  ['<|endoftext|>', '<|endofprompt|>', '<|im_start|>', '<|', '|>'],
  ['null', 'true', '{"id":', '"},', '":"', '\\n', '[1.5e3,', 'INFO', 'ERROR', 'return ', 'const x = ', '=>', '();'],
];

/** A run of one unit, of one alphabet, or of a few mixed: `size` draws at the most. */
export const randomText = (random: () => number, size: number): string => {
  const draws = 1 + below(random, size);
  const alphabet = pick(random, alphabets);
  if (random() < 0.15) return pick(random, alphabet).repeat(draws);
  const mixed = random() < 0.5 ? [alphabet] : [alphabet, pick(random, alphabets), pick(random, alphabets)];
  const separator = pick(random, ['', '', '', ' ', '\n', '-']);
  return Array.from({ length: draws }, () => pick(random, pick(random, mixed))).join(separator);
};
