import { expect, test } from 'vitest';
import { counted, encodeText, grouped } from '#base/text.ts';

const hex = (text: string): string => Buffer.from(encodeText(text)).toString('hex');

test.each([
  ['plain', 'añ😀', '61c3b1f09f9880'],
  ['NUL', 'a\0b', '610062'],
  ['a lone high surrogate', 'a\ud83db', '61eda0bd62'],
  ['a lone low surrogate', '\ude00', 'edb880'],
  ['two high ones and a pair', '\ud83d\ud83d\ude00', 'eda0bdf09f9880'],
  ['a low one before a high one', '\ude00\ud83d', 'edb880eda0bd'],
])('bytes of %s', (_, text, bytes) => expect(hex(text)).toBe(bytes));

test('figures and counts', () => {
  expect(grouped(1_234_567)).toBe('1,234,567');
  expect(counted(1, 'line')).toBe('1 line');
  expect(counted(2_000, 'match', 'matches')).toBe('2,000 matches');
});
