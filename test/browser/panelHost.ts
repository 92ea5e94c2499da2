import type { Page, RowRange } from '#base/page.ts';
import type { ChunkInfo, DocumentInfo, Kind } from '#drawer/contents.ts';
import type { ExecutionRow } from '#kernel/types.ts';
import type { EntryRow } from '#ledger/types.ts';
import { snapshot, type Shown } from './snapshots.ts';
import type { FakeHost } from './webviewPage.ts';

const start = Date.UTC(2026, 2, 4, 9);
const kinds: Kind[] = ['log', 'json', 'code', 'plain', 'csv'];

/** Rows of a list that is made as it is asked for; the newest has the highest number. */
const page = <R>(total: number, { offset, limit }: RowRange, row: (n: number) => R): Page<R> => ({
  total,
  rows: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, n) => row(total - offset - n)),
});

export const documentAt = (n: number): DocumentInfo => ({
  id: `d${n}`,
  session: 's1',
  title: n % 7 === 0 ? `logs/a/very/deep/path/integration-tests-${n}.log` : `file-${n}.txt`,
  kind: kinds[n % kinds.length] ?? 'plain',
  source: { kind: 'file', path: `/project/orders/file-${n}.txt` },
  bytes: 1_000 + n * 997,
  lines: 10 + n,
  chunks: 3 + (n % 400),
  tokens: 300 + n * 31,
  tokensEstimated: n % 5 === 0,
  anchorTokens: 120 + (n % 700),
  sha256: n.toString(16).padStart(64, '0'),
  keep: n % 3 === 0,
  redacted: n % 2 === 0 ? 2 : 0,
  storedAt: start + n * 1_000,
});

const chunkAt = (id: string, n: number): ChunkInfo => ({
  id: `${id}.${n}`,
  line: (n - 1) * 40 + 1,
  offset: (n - 1) * 2_000,
  bytes: 2_000,
  text: `10:00:${n} INFO [worker-${n}] finished job ${n * 31} in ${n} ms and goes on to the next`,
});

const entryAt = (n: number): EntryRow => {
  const kind = (['call', 'answer', 'moved', 'listing'] as const)[n % 4] ?? 'call';
  return {
    id: n,
    at: start + n * 1_000,
    kind,
    tool: kind === 'listing' ? '' : 'ctx_store_file',
    client: 'vscode',
    session: 's1',
    conversation: 'c0ffee',
    document: kind === 'moved' ? `d${n}` : undefined,
    counter: 'o200k_base',
    tokens: 10 + (n % 9_000),
    part: n % 3,
    excess: kind === 'moved' ? 1_200 : 0,
    bytes: 400 + n,
    label: 'measured',
    latency: kind === 'call' ? 42 : undefined,
  };
};

const statuses = ['completed', 'error', 'killed', 'running', 'interrupted'] as const;

const executionAt = (n: number): ExecutionRow => {
  const status = statuses[n % statuses.length] ?? 'completed';
  return {
    execution: n,
    session: 's1',
    status,
    fullOutput: false,
    submittedAt: start + n * 60_000,
    updatedAt: start + n * 60_000,
    completedAt: status === 'running' ? undefined : start + n * 60_000 + 1_234,
    kernelPid: 1,
    kernelCount: n,
    error: status === 'error' ? { ename: 'ValueError', evalue: 'invalid literal for int()' } : undefined,
    cause: status === 'killed' ? 'the kernel was killed by signal 9' : undefined,
    totalLines: n * 3,
    late: false,
    bytes: 0,
    goneAt: undefined,
  };
};

const anchor = `d7 logs/app.log
log · 476,603 bytes · 6,003 lines · chunks d7.1 to d7.239 · 228,854 tokens (o200k_base)
-- outline: 7 message templates, most frequent first
×2,024 (lines 3…6002) <time> DEBUG [cache] hit key=user:<n> from <ip>
-- lines, verbatim (5,997 of 6,003 not shown)
3001: 2026-11-29T00:50:00.801Z ERROR [billing] charge failed for order ORD-77121: card declined
next: ctx_search {"doc":"d7","query":"…"}`;

/** How long each list is; a test changes it as a drawer changes. */
export type Sizes = { documents: number; executions: number; entries: number };

/** An extension with lists of these sizes. */
export const fakeHost = (sizes: Sizes, bills = snapshot.bills): FakeHost => ({
  'drawer.documents': ({ title, kind, ...stretch }) =>
    page(title === 'nothing' ? 0 : kind === undefined ? sizes.documents : 3, stretch, documentAt),
  'drawer.chunks': ({ id, offset, limit }) => ({
    total: 400,
    rows: Array.from({ length: Math.min(limit, 400 - offset) }, (_, n) => chunkAt(id, offset + n + 1)),
  }),
  'drawer.detail': ({ id }) => ({ ...documentAt(Number(id.slice(1))), anchor, indexed: 3 }),
  'drawer.inspect': () => ({
    bytes: 476_603,
    invariants: [
      {
        kind: 'url',
        total: 2,
        values: [
          { text: 'https://example.org/a', count: 1 },
          { text: 'https://example.org/b', count: 12 },
        ],
      },
      { kind: 'number', total: 900, values: Array.from({ length: 200 }, (_, n) => ({ text: `${n} ms`, count: 1 })) },
    ],
    redactions: [
      { rule: 'password', line: 12, length: 16 },
      { rule: 'aws', line: 290, length: 40 },
    ],
  }),
  'drawer.search': ({ query }) =>
    query === 'nothing'
      ? { passages: [], more: 0, all: true, documents: sizes.documents }
      : {
          passages: [3, 9].map((n) => ({
            doc: `d${n}`,
            title: documentAt(n).title,
            chunks: [`d${n}.1`],
            lines: [10, 12] as const,
            hits: [11],
            text: `before\nthe ${query} is here\nafter\n`,
            score: 1,
          })),
          more: 4,
          all: false,
          documents: sizes.documents,
        },
  'kernel.executions': (stretch) => page(sizes.executions, stretch, executionAt),
  'ledger.bills': () => bills,
  'ledger.entries': (stretch) => page(sizes.entries, stretch, entryAt),
});

/** What the sidebar is answered. */
export const sidebarHost = (shown: () => Shown): FakeHost => ({
  'ledger.bills': () => shown().bills,
  'ledger.series': () => shown().series,
  'drawer.latest': () => shown().documents.map((row, n) => ({ ...documentAt(n), ...row })),
});
