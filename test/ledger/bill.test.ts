import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { billOutput, billStored } from '#ledger/bill.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import type { MovedBill, StoredContent } from '#ledger/types.ts';

const copilot = 'Visual Studio Code';
const bill = (text: string, change: Partial<StoredContent> = {}): MovedBill => {
  const tokens = atOnce(countTokens(text));
  return atOnce(
    billStored({ text, source: { kind: 'file' }, tokens, client: copilot, counter: 'o200k_base', ...change }),
  );
};
const lines = (count: number, line: string): string => `${line}\n`.repeat(count);
const exactly = (text: string): number => atOnce(countTokens(text)).tokens;

test('a file that Loom read is kept out whole where the client would have read it whole', () => {
  const text = lines(500, 'INFO started');
  expect(bill(text)).toEqual({ tokens: exactly(text), excess: 0, estimated: false });
});

test.each(['text', 'editor'] as const)('what came as %s was not kept out of a prompt', (kind) => {
  expect(bill(lines(500, 'x'), { source: { kind } })).toEqual({ tokens: 0, excess: 0, estimated: false });
});

test('a binary would never have entered a prompt', () => {
  expect(bill('PNG', { text: undefined, tokens: { tokens: 200_000, estimated: true } })).toEqual({
    tokens: 0,
    excess: 0,
    estimated: false,
  });
});

// What Copilot's one read_file answer holds: 2,000 lines, 2,000 units of a line, 72,000 units.
test.each([
  ['lines', lines(5_000, 'a b c'), lines(2_000, 'a b c')],
  ['a long line', `${'word '.repeat(10_000)}\nend\n`, `${'word '.repeat(400)}\nend\n`],
  ['all of it', lines(1_900, 'word '.repeat(20)), lines(1_900, 'word '.repeat(20)).slice(0, 72_000)],
])('beyond the cap of %s the rest is excess', (_, text, within) => {
  const { tokens, excess, estimated } = bill(text);
  expect({ tokens, estimated }).toEqual({ tokens: exactly(within), estimated: false });
  expect(tokens + excess).toBe(exactly(text));
});

test.each([copilot, 'Visual Studio Code - Insiders', 'code-server', 'VSCodium'])(
  '%s reads as Copilot does',
  (client) => {
    expect(bill('text', { client }).estimated).toBe(false);
  },
);

test('what another client reads is an assumption', () => {
  expect(bill('text', { client: 'claude-ai' })).toEqual({ tokens: 1, excess: 0, estimated: true });
});

const command = (text: string): MovedBill => bill(text, { source: { kind: 'command' } });
const output = (text: string, units = text.length, client = copilot): MovedBill =>
  atOnce(billOutput({ text, units, client, counter: 'o200k_base' }));

test.each([
  ['a command', command],
  ['a cell', output],
])('what %s put out is kept out as far as a terminal would have shown it', (_, billed) => {
  const short = lines(300, 'compiled one module');
  expect(billed(short)).toEqual({ tokens: exactly(short), excess: 0, estimated: false });
  // From 8,193 units on the client shows the path of a file in its place.
  const within = 'x '.repeat(4_096);
  expect(billed(within)).toEqual({ tokens: exactly(within), excess: 0, estimated: false });
  expect(billed(`${within}x`)).toEqual({ tokens: 95, excess: exactly(`${within}x`) - 95, estimated: false });
  // A long text of few tokens.
  const spaces = ' '.repeat(9_000);
  expect(billed(spaces)).toEqual({ tokens: exactly(spaces), excess: 0, estimated: false });
  expect(billed('')).toEqual({ tokens: 0, excess: 0, estimated: false });
});

test('an output of which only a part is at hand is extrapolated, and says so', () => {
  const text = lines(4_000, 'epoch');
  const { tokens, excess, estimated } = output(text, 10 * text.length);
  expect({ tokens, excess, estimated }).toEqual({ tokens: 95, excess: 10 * exactly(text) - 95, estimated: true });
});

test('what another client shows of an output is an assumption', () => {
  expect(output('text', 4, 'claude-ai')).toEqual({ tokens: 1, excess: 0, estimated: true });
});
