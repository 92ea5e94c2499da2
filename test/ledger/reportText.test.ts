import { expect, test } from 'vitest';
import { reportText } from '#ledger/reportText.ts';
import type { Report } from '#ledger/types.ts';

const full: Report = {
  counters: ['o200k_base'],
  calls: 5,
  unmeasured: 0,
  moved: { tokens: 48_210, label: 'computed' },
  excess: { tokens: 12_000, label: 'computed' },
  listing: { tokens: 1_480, label: 'measured' },
  turns: { count: 3, counted: true },
  listed: { tokens: 4_440, label: 'estimated' },
  call: { tokens: 320, label: 'measured' },
  through: { tokens: 120, label: 'measured' },
  answer: { tokens: 1_360, label: 'measured' },
  returned: { tokens: 900, label: 'measured' },
  net: { tokens: 42_090, label: 'estimated' },
  gain: 0.873,
  breakEven: 31,
  cacheHits: { count: 0, latency: 0 },
  tools: [{ tool: 'ctx_get', calls: 5, call: 320, answer: 1_360, moved: 48_210 }],
};
const check = (change: Partial<Report>, expected: string | string[]): void => {
  const lines = reportText({ ...full, ...change }).split('\n');
  expect(lines).toEqual(expect.arrayContaining([expected].flat()));
};

test('every term of a bill', () => {
  expect(reportText(full)).toBe(`5 calls; tokens by o200k_base
Kept out of the prompt: 48,210 (computed); 12,000 more are not counted, as the client would not have read so far
Paid: 6,120
  listing: 4,440 (estimated), 1,480 a turn (measured), 3 turns, turns without a call unseen
  calls: 320 (measured), of which content to store 120
  answers: 1,360 (measured), of which stored content fetched again 900
Net: 42,090 (estimated)
Gain: 87 % of what was moved (line: 35 %)
Break-even: the listing has eaten what was kept out after 31 turns
  ctx_get: 5 calls, paid 1,680, kept out 48,210`);
});

test('no calls: nothing to report', () => {
  expect(reportText({ ...full, calls: 0, net: undefined, gain: undefined, tools: [] })).toBe(
    'Nothing to report: no call was made.\nBeing listed costs 1,480 tokens a turn (measured).',
  );
});

test('a negative net and gain stay negative', () => {
  check({ net: { tokens: -5_900, label: 'estimated' }, gain: -0.118 }, [
    'Net: -5,900 (estimated): Loom cost more than it kept out',
    'Gain: -12 % of what was moved (line: 35 %)',
  ]);
});

test('what is not known is said not to be measured', () => {
  check({ listing: undefined, listed: undefined, breakEven: undefined }, [
    'Paid: 1,680',
    '  listing: not measured, and not in the net',
    'Break-even: not measured',
  ]);
  check({ unmeasured: 2 }, 'Not measured: 2 calls whose figures could not be kept.');
  check(
    { turns: { count: 1, counted: false } },
    '  listing: 4,440 (estimated), 1,480 a turn (measured), one turn a conversation (1 turn) assumed, as the client does not tell them',
  );
  check({ gain: undefined }, 'Gain: none to state, as nothing was moved');
});
