import type { Bill, Snapshot } from '#vscode/views/protocol.ts';

export const savedBill: Bill = {
  counters: ['o200k_base'],
  cacheHits: { count: 0, latency: 0 },
  calls: 14,
  unmeasured: 0,
  moved: { tokens: 48_210, label: 'computed' },
  excess: { tokens: 212_400, label: 'computed' },
  listing: { tokens: 1_480, label: 'measured' },
  turns: { count: 3, counted: true },
  listed: { tokens: 4_440, label: 'estimated' },
  call: { tokens: 620, label: 'measured' },
  through: { tokens: 120, label: 'measured' },
  answer: { tokens: 3_960, label: 'measured' },
  returned: { tokens: 1_900, label: 'measured' },
  net: { tokens: 39_190, label: 'estimated' },
  gain: 0.813,
  breakEven: 29,
  tools: [
    { tool: 'ctx_store_file', calls: 3, call: 180, answer: 1_500, moved: 48_210 },
    { tool: 'ctx_search', calls: 6, call: 210, answer: 1_210, moved: 0 },
    { tool: 'ctx_get', calls: 4, call: 110, answer: 1_150, moved: 0 },
    { tool: 'ctx_store', calls: 1, call: 120, answer: 100, moved: 0 },
  ],
};

export const lostBill: Bill = {
  ...savedBill,
  calls: 2,
  moved: { tokens: 900, label: 'estimated' },
  excess: { tokens: 0, label: 'computed' },
  turns: { count: 4, counted: false },
  listed: { tokens: 5_920, label: 'estimated' },
  net: { tokens: -9_600, label: 'estimated' },
  gain: -10.67,
  breakEven: undefined,
  unmeasured: 2,
};

export const noCallsBill: Bill = {
  ...savedBill,
  calls: 0,
  moved: { tokens: 0, label: 'computed' },
  excess: { tokens: 0, label: 'computed' },
  turns: { count: 0, counted: false },
  listed: undefined,
  call: { tokens: 0, label: 'measured' },
  through: { tokens: 0, label: 'measured' },
  answer: { tokens: 0, label: 'measured' },
  returned: { tokens: 0, label: 'measured' },
  net: undefined,
  gain: undefined,
  breakEven: undefined,
  tools: [],
};

const life: Bill = {
  ...savedBill,
  calls: 1_204,
  moved: { tokens: 3_412_000, label: 'estimated' },
  turns: { count: 310, counted: true },
  listed: { tokens: 458_800, label: 'estimated' },
  call: { tokens: 71_200, label: 'measured' },
  answer: { tokens: 402_300, label: 'measured' },
  net: { tokens: 2_479_700, label: 'estimated' },
  gain: 0.727,
};

export const snapshot: Snapshot = {
  session: savedBill,
  life,
  gainLine: 0.35,
  drawer: { usedBytes: 41_900_000, maxBytes: 200 * 2 ** 20 },
  documents: [
    {
      id: 'd42',
      title: 'logs/integration-tests-2026-03-04.log',
      tokens: 231_400,
      tokensEstimated: false,
      anchorTokens: 812,
    },
    { id: 'd41', title: 'npm test', tokens: 18_320, tokensEstimated: false, anchorTokens: 640 },
    { id: 'd40', title: 'openapi.json', tokens: 1_204_000, tokensEstimated: true, anchorTokens: 500 },
    { id: 'd39', title: '構成/設定.yaml', tokens: 3_100, tokensEstimated: false, anchorTokens: 420 },
    { id: 'd38', title: 'a', tokens: 912, tokensEstimated: false, anchorTokens: 88 },
  ],
};

export const emptySnapshot: Snapshot = {
  ...snapshot,
  session: { ...noCallsBill, listing: undefined },
  life: { ...noCallsBill, listing: undefined },
  drawer: { usedBytes: 98_304, maxBytes: 200 * 2 ** 20 },
  documents: [],
};
