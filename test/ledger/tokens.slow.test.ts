import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { get_encoding, type Tiktoken } from 'tiktoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { counters } from '#ledger/types.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { seeded } from './random.ts';
import { randomText } from './texts.ts';

const root = join(import.meta.dirname, '../..');

describe.each(counters)('%s', (counter) => {
  let reference: Tiktoken;
  beforeAll(() => {
    reference = get_encoding(counter);
  });
  afterAll(() => reference.free());

  /** `text` counts as the reference implementation counts it, special tokens being ordinary text. */
  const check = (text: string): void => {
    const count = atOnce(countTokens(text, counter));
    expect(count, JSON.stringify(text.slice(0, 400))).toEqual({
      tokens: reference.encode(text, [], []).length,
      estimated: false,
    });
  };

  test.each(['', ' ', '\n', 'hello world', '<|endoftext|>', '\ud800', 'a\udc00b', '\0', "it's", 'x'.repeat(700)])(
    'counts %j as the reference does',
    check,
  );

  test('counts 4,000 random strings of all scripts and shapes as the reference does', () => {
    const random = seeded(1);
    for (let i = 0; i < 4_000; i++) check(randomText(random, 60));
  });

  test('counts texts of many stretches as the reference does', () => {
    const random = seeded(2);
    for (let i = 0; i < 6; i++) {
      let text = '';
      while (text.length < 150_000) text += randomText(random, 40) + (random() < 0.3 ? ' ' : '');
      check(text);
    }
  });

  test("counts this repository's own files as the reference does", () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) check(readFileSync(join(root, file), 'utf8'));
  });

  test('an estimate of a text that changes its kind on the way is within 2 %', () => {
    const random = seeded(5);
    const words = Array.from({ length: 30_000 }, () => random().toString(36)).join(' ');
    const text = `${words}\n${'INFO GET /api/v1/items 200\n'.repeat(20_000)}${words}`;
    const estimate = atOnce(countTokens(text, counter, 1_500_000));
    const { tokens } = atOnce(countTokens(text, counter));
    expect(atOnce(countTokens(text, counter, 1_500_000)), 'the same with a warm cache').toEqual(estimate);
    expect(estimate.estimated).toBe(true);
    expect(Math.abs(estimate.tokens - tokens) / tokens).toBeLessThan(0.02);
  });
});

test('two counts at a time do not disturb each other', () => {
  const texts = [randomText(seeded(3), 90_000), 'z'.repeat(20_000), randomText(seeded(4), 90_000)];
  const alone = texts.map((text, n) => atOnce(countTokens(text, counters[n % 2])));
  const running = texts.map((text, n) => countTokens(text, counters[n % 2]));
  const results: unknown[] = texts.map(() => undefined);
  while (results.includes(undefined)) {
    for (const [i, work] of running.entries()) {
      const step = work.next();
      if (step.done) results[i] ??= step.value;
    }
  }
  expect(results).toEqual(alone);
});
