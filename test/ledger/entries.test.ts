import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { recordMoved, type LedgerEntry } from '#ledger/entries.ts';
import { createLedger, type Ledger } from '#ledger/ledger.ts';
import type { Counter, EntriesArgs, EntryRow, Span } from '#ledger/types.ts';
import { openTestDrawer, type TestDrawer } from './drawer.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 5, 12);
const account = { session: 's1', conversation: 'c1', client: 'vscode' };
const counter: Counter = 'o200k_base';

let drawer: TestDrawer;
let ledger: Ledger;
let folder: string;
beforeEach(async () => {
  drawer = await openTestDrawer();
  ledger = createLedger({ call: drawer.call, log: silentLog, counter, clock: () => start });
  folder = mkdtempSync(join(tmpdir(), 'loom-ledger-'));
});
afterEach(async () => {
  await ledger.dispose();
  rmSync(folder, { recursive: true });
});

const counted = (tokens: number, part = 0) => ({ tokens, bytes: 4 * tokens, estimated: false, part });
const callOf = (n: number, change: Partial<Extract<LedgerEntry, { kind: 'call' }>> = {}): LedgerEntry => ({
  kind: 'call',
  ...account,
  counter,
  identity: `call ${n}`,
  at: start + n * minute,
  turn: `t${n}`,
  tool: 'ctx_search',
  call: counted(10, 4),
  answer: counted(30),
  latency: 7,
  ...change,
});
const listing: LedgerEntry = {
  kind: 'listing',
  ...account,
  conversation: 'a connection',
  counter,
  identity: 'listing',
  at: start,
  listing: counted(100),
};
const append = (...entries: LedgerEntry[]): Promise<void> => drawer.call('ledger.append', { entries, unmeasured: [] });
const moved = (of: Parameters<typeof recordMoved>[1]['of'], at: number, estimated = false): void =>
  drawer.inTransaction((tx) =>
    recordMoved(tx, {
      ...account,
      of,
      at,
      tool: 'run_python',
      counter,
      tokens: 50,
      excess: 900,
      bytes: 4_000,
      estimated,
    }),
  );
const ids = async (args: Partial<EntriesArgs> = {}): Promise<number[]> =>
  (await ledger.entries({ life: true, offset: 0, limit: 10, ...args })).rows.map(({ id }) => id);

test('a page is the newest first, and every entry says what it is', async () => {
  await append(listing, callOf(1));
  moved({ execution: 3 }, start + 2 * minute);
  const { rows, total } = await ledger.entries({ conversation: 'c1', offset: 0, limit: 10 });
  // The listing came by a connection of another name; it stands where it is paid for.
  expect([total, rows.map(({ kind }) => kind)]).toEqual([4, ['moved', 'answer', 'call', 'listing']]);
  const common = { ...account, counter, latency: undefined, document: undefined, part: 0, excess: 0 };
  expect(rows[0]).toEqual({
    ...common,
    id: 4,
    at: start + 2 * minute,
    kind: 'moved',
    tool: 'run_python',
    document: 'In [3]',
    tokens: 50,
    excess: 900,
    bytes: 4_000,
    label: 'computed',
  });
  expect(rows[2]).toMatchObject({ tool: 'ctx_search', tokens: 10, part: 4, label: 'measured', latency: 7 });
});

test('an execution moves once, by its session and number', async () => {
  moved({ execution: 3 }, start);
  moved({ execution: 3 }, start + minute, true);
  moved({ document: 'd3' }, start);
  drawer.inTransaction((tx) =>
    recordMoved(tx, {
      ...account,
      session: 's2',
      of: { execution: 3 },
      at: start,
      tool: '',
      counter,
      tokens: 1,
      excess: 0,
      bytes: 1,
      estimated: true,
    }),
  );
  const { rows } = await ledger.entries({ life: true, kind: 'moved', offset: 0, limit: 10 });
  expect(rows.map(({ session, document, label }) => [session, document, label])).toEqual([
    ['s2', 'In [3]', 'estimated'],
    ['s1', 'd3', 'computed'],
    ['s1', 'In [3]', 'computed'],
  ]);
});

test('pages meet without a gap, from both ends, filtered, and before an entry', async () => {
  await append(...Array.from({ length: 20 }, (_, n) => callOf(n, n % 5 === 0 ? { tool: 'ctx_get' } : {})));
  const all = Array.from({ length: 40 }, (_, n) => 40 - n);
  expect(await ids({ limit: 100 })).toEqual(all);
  const pages = await Promise.all([0, 7, 14, 21, 28, 35, 42].map((offset) => ids({ offset, limit: 7 })));
  expect(pages.flat()).toEqual(all);
  expect(await ids({ kind: 'answer', tool: 'ctx_get', offset: 3, limit: 7 })).toEqual([2]);
  expect((await ledger.entries({ life: true, tool: 'ctx_get', offset: 0, limit: 0 })).total).toBe(8);
  expect(await ids({ before: 6, limit: 3 })).toEqual([5, 4, 3]);
  expect(await ids({ offset: 2.7, limit: 1.2 })).toEqual([38]);
  expect(await ledger.entries({ session: 'unknown', offset: 0, limit: 9 })).toEqual({ rows: [], total: 0 });
});

test('a cache hit saves time and not one token', async () => {
  await append({ kind: 'cache_hit', ...account, counter, identity: 'hit 1', at: start, tool: 'fetch', latency: 840 });
  await append({ kind: 'cache_hit', ...account, counter, identity: 'hit 1', at: start, tool: 'fetch', latency: 840 });
  const report = await ledger.report({ life: true });
  expect(report).toMatchObject({ calls: 0, net: undefined, cacheHits: { count: 1, latency: 840 }, tools: [] });
  const { rows } = await ledger.entries({ life: true, offset: 0, limit: 9 });
  expect(rows).toMatchObject([{ kind: 'cache_hit', tokens: 0, label: 'measured', latency: 840 }]);
});

test.each<[Span, number, number]>([
  ['hour', minute, 60],
  ['day', 15 * minute, 96],
  ['week', 120 * minute, 84],
])('a series of a %s', async (span, step, count) => {
  const now = start + 30 * minute;
  await append(listing, callOf(0), callOf(30), callOf(-20_000, { conversation: 'c2' }));
  moved({ document: 'd1' }, start);
  const { from, buckets, step: given } = await ledger.series({ session: 's1', span, now });
  expect([given, buckets.length, buckets[0]?.at]).toEqual([step, count, from]);
  expect(from % step).toBe(0);
  expect(buckets.at(-1)!.at).toBeLessThanOrEqual(now);
  expect(now - buckets.at(-1)!.at).toBeLessThan(step);
  const busy = buckets.filter(({ net }) => net !== 0);
  const sum = (key: 'moved' | 'listed' | 'call' | 'answer' | 'net'): number =>
    busy.reduce((total, bucket) => total + bucket[key], 0);
  expect([sum('moved'), sum('listed'), sum('call'), sum('answer'), sum('net')]).toEqual([50, 200, 20, 60, -230]);
});

test('a series of everything reaches from the first entry to now, and holds all of it', async () => {
  const now = start + 400 * 1_440 * minute;
  expect(await ledger.series({ life: true, span: 'all', now })).toEqual({ from: now, step: minute, buckets: [] });
  await append(listing, callOf(0), callOf(300_000));
  const { buckets } = await ledger.series({ life: true, span: 'all', now });
  expect(buckets.length).toBeLessThanOrEqual(100);
  const net = buckets.reduce((sum, bucket) => sum + bucket.net, 0);
  expect(net).toBe((await ledger.report({ life: true })).net?.tokens);
});

const exported = async (format: 'csv' | 'json', scope: { session: string } | { life: true }): Promise<string> => {
  const file = join(folder, `entries.${format}`);
  const { entries, bytes } = await ledger.exportEntries({ ...scope, format, file });
  const text = readFileSync(file, 'utf8');
  expect([bytes, readdirSync(folder)]).toEqual([Buffer.byteLength(text), [`entries.${format}`]]);
  expect(entries).toBe((await ledger.entries({ ...scope, offset: 0, limit: 0 })).total);
  return text;
};

test('an export as CSV: one row an entry, and no cell that a spreadsheet would run', async () => {
  const conversation = '=cmd|\' /C calc\'!A0, "so"\n';
  await append(listing, callOf(1, { conversation, client: '@sum', tool: '-1+1' }));
  const header =
    'id,at,kind,tool,client,session,conversation,document,counter,tokens,part,excess,bytes,label,latency_ms';
  const cells = `'-1+1,'@sum,s1,"'=cmd|' /C calc'!A0, ""so""\n"`;
  expect(await exported('csv', { life: true })).toBe(
    [
      header,
      '1,2026-01-05T12:00:00.000Z,listing,,vscode,s1,a connection,,o200k_base,100,0,0,400,measured,',
      `2,2026-01-05T12:01:00.000Z,call,${cells},,o200k_base,10,4,0,40,measured,7`,
      `3,2026-01-05T12:01:00.000Z,answer,${cells},,o200k_base,30,0,0,120,measured,7`,
      '',
    ].join('\r\n'),
  );
});

test('an export as JSON: the report on top, every entry below, over many slices', async () => {
  await append(...Array.from({ length: 1_300 }, (_, n) => callOf(n)), callOf(1, { session: 's2', identity: 'other' }));
  const { report, entries } = JSON.parse(await exported('json', { session: 's1' })) as {
    report: { calls: number; call: { tokens: number } };
    entries: EntryRow[];
  };
  expect(entries.length).toBe(2_600);
  const calls = entries.filter(({ kind }) => kind === 'call');
  expect([calls.length, calls.reduce((sum, { tokens }) => sum + tokens, 0)]).toEqual([
    report.calls,
    report.call.tokens,
  ]);
});

test('an export that cannot be written says so, and leaves nothing', async () => {
  await append(callOf(1));
  await expect(
    ledger.exportEntries({ life: true, format: 'csv', file: join(folder, 'no/such.csv') }),
  ).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
  });
  await expect(ledger.exportEntries({ life: true, format: 'csv', file: folder })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test('two counters: every sum over both is estimated, and the report names them', async () => {
  await append(callOf(1), callOf(2, { counter: 'cl100k_base' }));
  expect(await ledger.report({ session: 's1' })).toMatchObject({
    counters: ['cl100k_base', 'o200k_base'],
    call: { tokens: 20, label: 'estimated' },
    net: { label: 'estimated' },
  });
});
