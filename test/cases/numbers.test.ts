import { describe, expect, test } from 'vitest';
import { countTokens, type TokenCount } from '#ledger/tokens.ts';

/** Counts `text`, and how often the count let others have their turn. */
const run = (text: string): TokenCount & { yields: number } => {
  const work = countTokens(text);
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (step.done) return { ...step.value, yields };
  }
};

const base64 = Buffer.from(Array.from({ length: 150_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 0xff)).toString(
  'base64',
);

// The figures are those of OpenAI's own tokenizer.
describe('a tokenizer hangs', () => {
  test.each([
    ['a run of 50,000 underscores', '_'.repeat(50_000), 782, false],
    ['a ruler of 100,000 equals signs', '='.repeat(100_000), 1_562, false],
    ['14,000 times one Chinese character', '数'.repeat(14_000), 14_000, false],
    ['200 KB of base64', base64, 136_918, false],
    ['a million times one letter', 'a'.repeat(1_000_000), 125_000, true],
    ['a megabyte of spaces', ' '.repeat(1_000_000), 7_813, true],
    ['ten million times one letter', 'a'.repeat(10_000_000), 1_250_000, true],
  ])('%s', (_, text, tokens, estimated) => {
    const count = run(text);
    expect(count).toMatchObject({ tokens, estimated });
    expect(count.yields).toBeGreaterThan(text.length / 40_000);
  });
});
