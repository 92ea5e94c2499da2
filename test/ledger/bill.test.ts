import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { billStored, type MovedBill, type StoredContent } from '#ledger/bill.ts';
import { countTokens } from '#ledger/tokens.ts';

const copilot = 'Visual Studio Code';
const bill = (text: string, change: Partial<StoredContent> = {}): MovedBill => {
  const tokens = atOnce(countTokens(text));
  return atOnce(billStored({ text, source: { kind: 'file' }, tokens, client: copilot, ...change }));
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
