import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { atOnce } from '#base/slices.ts';
import { billOutput } from '#ledger/bill.ts';
import { recordMoved } from '#ledger/entries.ts';
import { createLedger, type Ledger } from '#ledger/ledger.ts';
import { reportText } from '#ledger/reportText.ts';
import type { CallRecord, TokenCount } from '#ledger/types.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { answerTexts } from '#mcp/listing/prompt.ts';
import { openTestDrawer, type TestDrawer } from '../ledger/drawer.ts';

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

describe('in a ledger', () => {
  let drawer: TestDrawer;
  let ledger: Ledger;
  beforeEach(async () => {
    drawer = await openTestDrawer();
    ledger = createLedger({ call: drawer.call, log: silentLog, counter: 'o200k_base', clock: () => 1 });
  });
  const account = { session: 's', conversation: 'c', client: 'vscode' };
  const call = (change: Partial<CallRecord> = {}): CallRecord => ({
    ...account,
    tool: 'ctx_store',
    call: '{"text":"x"}',
    answer: ['x'],
    latencyMs: 1,
    ...change,
  });
  const moved = (document: string): void =>
    drawer.inTransaction((tx) => {
      const figures = { tokens: 900, excess: 0, bytes: 3_600, estimated: false, counter: 'o200k_base' };
      recordMoved(tx, { ...account, ...figures, of: { document }, at: 1, tool: 'ctx_store_file' });
    });

  test('a part larger than its whole', async () => {
    // Escapes merge better than the text that they stand for.
    const text = '\n'.repeat(200);
    await ledger.recordCall(call({ call: '{}', through: text, answer: ['a'], returned: text }));
    const { call: whole, through, answer, returned } = await ledger.report({ life: true });
    expect([through, returned]).toEqual([whole, answer]);
  });

  test('100 % saved with no calls', async () => {
    moved('d1');
    const report = await ledger.report({ life: true });
    expect(report).toMatchObject({ calls: 0, moved: { tokens: 900 }, net: undefined, gain: undefined });
    expect(reportText(report)).toBe('Nothing to report: no call was made.\nListing: not measured.');
  });

  test('totals that fall', async () => {
    moved('d1');
    await ledger.recordCall(call());
    const before = await ledger.report({ life: true });
    await ledger.recordCall(call({ session: 'other', conversation: 'other' }));
    const after = await ledger.report({ life: true });
    expect(after.moved).toEqual(before.moved);
    expect([after.calls, after.call.tokens]).toEqual([2, 2 * before.call.tokens]);
    // Only the net may.
    expect(after.net!.tokens).toBeLessThan(before.net!.tokens);
  });

  test('the same thing counted twice: the same call answered twice by an idempotency key', async () => {
    // The document is stored once, and found again the second time; both answers went into the prompt.
    for (let n = 0; n < 2; n++) {
      moved('d1');
      await ledger.recordCall(call({ call: '{"text":"x","_idempotency_key":"k"}' }));
    }
    const { moved: kept, calls, answer } = await ledger.report({ life: true });
    expect([kept.tokens, calls, answer.tokens]).toEqual([900, 2, 2]);
  });
});

test('bytes of a picture counted as tokens: a 600 KB PNG in a cell that prints True', () => {
  const data = randomBytes(600_000).toString('base64');
  const image = { type: 'image' as const, data, mimeType: 'image/png' };
  const content = [{ type: 'text' as const, text: 'True' }, image];
  for (const client of ['vscode', 'other']) expect(answerTexts({ content }, client)).toEqual(['True']);
  expect(atOnce(billOutput({ text: 'True', units: 4, client: 'vscode', counter: 'o200k_base' })).tokens).toBe(1);
});
