/** `npm run bench ledger`: appends, pages and series at 100,000 entries, over the real storage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEntry } from '#ledger/entries.ts';
import { createLedger } from '#ledger/ledger.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { silentLog } from '#base/log.ts';
import { openStore } from '#storage/store.ts';

const calls = 50_000;
const tools = ['ctx_get', 'ctx_search', 'ctx_store_file'] as const;
const folder = mkdtempSync(join(tmpdir(), 'loom-bench-'));
const store = await openStore({
  folder,
  operations: ledgerOperations,
  migrations: [{ room: 'ledger', migrations: ledgerMigrations }],
  functions: [],
});
const counter = 'o200k_base';
const ledger = createLedger({ call: store.call, log: silentLog, counter, clock: Date.now });

const counted = (tokens: number) => ({ tokens, bytes: 4 * tokens, estimated: false, part: 0 });
const entry = (n: number): LedgerEntry => ({
  kind: 'call',
  session: `s${n % 3}`,
  conversation: `c${Math.floor(n / 800)}`,
  client: 'vscode',
  counter,
  identity: `run-${n}`,
  at: n * 30_000,
  turn: `t${Math.floor(n / 8)}`,
  tool: tools[n % 3] ?? 'ctx_get',
  call: counted(10 + (n % 7)),
  answer: counted(40 + (n % 900)),
  latency: 4,
});

const rows: { what: string; p50: string; max: string }[] = [];
const measure = async (what: string, times: number, work: (n: number) => Promise<unknown>): Promise<void> => {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    await work(n);
    took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  const ms = (at: number): string => `${(took[at] ?? NaN).toFixed(1)} ms`;
  rows.push({ what, p50: ms(times >> 1), max: ms(times - 1) });
};

const batch = 100;
await measure(`append, a batch of ${batch} calls (${2 * batch} entries)`, calls / batch, (n) =>
  store.call('ledger.append', {
    entries: Array.from({ length: batch }, (_, i) => entry(n * batch + i)),
    unmeasured: [],
  }),
);
await measure('append, one call', 50, (n) =>
  store.call('ledger.append', { entries: [entry(calls + n)], unmeasured: [] }),
);
const life = { life: true, limit: 100 } as const;
const ofTool = { kind: 'answer', tool: 'ctx_get' } as const;
await measure('page of 100, newest', 20, () => ledger.entries({ ...life, offset: 0 }));
await measure('page of 100, the middle', 20, () => ledger.entries({ ...life, offset: calls }));
await measure('page of 100, the far end', 20, () => ledger.entries({ ...life, offset: 2 * calls - 100 }));
await measure('page of 100, a session, the middle', 20, () =>
  ledger.entries({ session: 's1', limit: 100, offset: calls / 3 }),
);
await measure('page of 100, one kind and tool, the middle', 20, () =>
  ledger.entries({ ...life, ...ofTool, offset: calls / 6 }),
);
for (const span of ['hour', 'day', 'week', 'all'] as const)
  await measure(`series, ${span}`, 20, () => ledger.series({ life: true, span, now: calls * 30_000 }));
await measure('report for life', 20, () => ledger.report({ life: true }));
await measure('export as CSV', 1, () =>
  ledger.exportEntries({ life: true, format: 'csv', file: join(folder, 'entries.csv') }),
);
console.table(rows);
console.log(`image: ${((await store.health()).imageBytes / 2 ** 20).toFixed(1)} MiB`);
await ledger.dispose();
await store.close();
rmSync(folder, { recursive: true });
