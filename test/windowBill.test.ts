import { expect, test } from 'vitest';
import type { Figure, Report } from '#ledger/types.ts';
import { windowBill } from '#vscode/ledger/windowBill.ts';

const figure = (tokens: number): Figure => ({ tokens, label: 'measured' });

const conversation = (moved: number, answer: number, listed: number, calls = 1): Report => ({
  counters: ['o200k_base'],
  calls,
  unmeasured: 0,
  moved: figure(moved),
  excess: figure(0),
  listing: figure(1000),
  turns: { count: listed / 1000, counted: true },
  listed: figure(listed),
  call: figure(10),
  through: figure(0),
  answer: figure(answer),
  returned: figure(0),
  cacheHits: { count: 0, latency: 0 },
  net: calls > 0 ? figure(moved - answer - listed - 10) : undefined,
  gain: undefined,
  breakEven: undefined,
  tools: [],
});

test('before a first call there is no bill', () => {
  expect(windowBill([])).toBeUndefined();
  expect(windowBill([conversation(0, 0, 0, 0)])).toBeUndefined();
});

test('the conversations of a window are summed, and the parts add up to the net', () => {
  const bill = windowBill([conversation(10_000, 500, 2_000), conversation(0, 90, 1_000), conversation(0, 0, 0, 0)]);
  expect(bill).toMatchObject({ calls: 2, turns: 3, moved: 10_000, listed: 3_000, call: 20, answer: 590, net: 6_390 });
  expect(bill?.gain).toBeCloseTo(0.639);
});

test('a loss is a loss, and without anything moved it has no share', () => {
  expect(windowBill([conversation(0, 90, 1_000)])).toMatchObject({ net: -1_100, gain: undefined });
});
