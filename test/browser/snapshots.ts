import type { DocumentInfo } from '#drawer/contents.ts';
import type { Bills, LedgerAsks } from '#ledger/asks.ts';
import type { Report as Bill, Series } from '#ledger/types.ts';
import type { Snapshot, Status } from '#vscode/views/protocol.ts';

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

const hour = 3_600_000;
const start = Date.UTC(2026, 2, 4, 9);

const seriesOf = (buckets: readonly (readonly [moved: number, paid: number])[]): Series => ({
  from: start,
  step: hour / 4,
  buckets: buckets.map(([moved, paid], n) => ({
    at: start + (n * hour) / 4,
    moved,
    listed: paid,
    call: 0,
    answer: 0,
    net: moved - paid,
  })),
});

const quiet = Array.from({ length: 40 }, () => [0, 0] as const);
export const series = seriesOf([...quiet, [12_000, 900], [0, 310], [31_000, 4_200], ...quiet, [5_210, 3_610], [0, 0]]);

export const status: Status = {
  usedBytes: 41_900_000,
  maxBytes: 200 * 2 ** 20,
  nearlyFull: false,
  whenFull: 'evict',
  role: 'owner',
  problem: undefined,
  missing: [],
  trusted: true,
};

/** What stands in the sidebar: what the extension sends, and what it answers. */
export type Shown = {
  status: Status;
  bills: Bills;
  series: LedgerAsks['series']['answer'];
  documents: readonly Pick<DocumentInfo, 'id' | 'title' | 'tokens' | 'tokensEstimated' | 'anchorTokens'>[];
};

export const snapshot: Shown = {
  bills: { session: savedBill, life, gainLine: 0.35 },
  series: { session: series, life: series },
  status,
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

const nothing: Series = seriesOf([]);

export const emptySnapshot: Shown = {
  bills: {
    session: { ...noCallsBill, listing: undefined },
    life: { ...noCallsBill, listing: undefined },
    gainLine: 0.35,
  },
  series: { session: nothing, life: nothing },
  status: { ...status, usedBytes: 98_304 },
  documents: [],
};

export const billed = (session: Bill): Shown => ({ ...snapshot, bills: { ...snapshot.bills, session } });

/** Statuses that a person must be told of. */
export const warnings: Record<string, Status> = {
  'read only': {
    ...status,
    maxBytes: 0,
    role: 'view',
    problem: 'The drawer belongs to another machine.',
    missing: ['The last 3 writes are missing.'],
  },
  'nearly full': { ...status, usedBytes: 193 * 2 ** 20, nearlyFull: true },
  'full, refusing': { ...status, usedBytes: 200 * 2 ** 20, nearlyFull: true, whenFull: 'refuse' },
  untrusted: { ...status, trusted: false },
};

const session = (id: string, more: object) => ({
  id,
  client: 'vscode',
  root: '/project/orders',
  createdAt: start,
  usedAt: start + hour,
  documents: 12,
  bytes: 4_300_000,
  kept: 2,
  expired: false,
  expiresAt: start + 720 * hour,
  ...more,
});

export const panel: Snapshot = {
  status,
  session: 's1',
  sessions: [
    session('s1', {}),
    session('s2', { client: 'claude-code', root: '/project/a-workspace-with-a-rather-long-name/packages/inner' }),
    session('s3', {
      client: 'cursor',
      root: '',
      documents: 0,
      bytes: 0,
      kept: 0,
      expired: true,
      expiresAt: start - hour,
    }),
  ],
};
