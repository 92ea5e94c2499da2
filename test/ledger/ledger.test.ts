import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import { recordMoved } from '#ledger/entries.ts';
import { createLedger, type Ledger } from '#ledger/ledger.ts';
import type { CallRecord, ListingRecord, MovedEntry } from '#ledger/types.ts';
import { openTestDrawer, type TestDrawer } from './drawer.ts';

let drawer: TestDrawer;
let ledger: Ledger;
let errors: string[];
beforeEach(async () => {
  drawer = await openTestDrawer();
  errors = [];
  const log = { ...silentLog, error: (message: string) => void errors.push(message) };
  ledger = createLedger({ call: drawer.call, log, counter: 'o200k_base', clock: () => 1_700_000_000_000 });
});
afterEach(() => ledger.dispose());

const account = { session: 's1', conversation: 'c1', client: 'Visual Studio Code' };

// `word ` × n is n tokens of o200k_base, give or take the last space: figures below can be read off.
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

const call = (change: Partial<CallRecord> = {}): CallRecord => ({
  ...account,
  turn: 't1',
  tool: 'ctx_search',
  call: words(10),
  answer: [words(30)],
  latencyMs: 12.4,
  ...change,
});
const listing = (change: Partial<ListingRecord> = {}): ListingRecord => ({
  ...account,
  texts: [words(60), words(40)],
  ...change,
});
const moved = (change: Partial<MovedEntry> = {}): void =>
  drawer.inTransaction((tx) =>
    recordMoved(tx, {
      ...account,
      of: { document: 'd1' },
      at: 1,
      counter: 'o200k_base',
      tool: 'ctx_store_file',
      tokens: 1_000,
      excess: 0,
      bytes: 4_000,
      estimated: false,
      ...change,
    }),
  );

test('no call: nothing to report, and unknown is not 0', async () => {
  expect(await ledger.report({ life: true })).toMatchObject({
    calls: 0,
    listing: undefined,
    listed: undefined,
    net: undefined,
    gain: undefined,
    breakEven: undefined,
    tools: [],
  });
});

test('a listing alone is known, and nothing to report', async () => {
  await ledger.recordListing(listing());
  expect(await ledger.report({ conversation: 'c1' })).toMatchObject({
    calls: 0,
    listing: { tokens: 100, label: 'measured' },
    listed: undefined,
    net: undefined,
  });
});

test('every term of a bill, and their sum', async () => {
  await ledger.recordListing(listing({ conversation: 'mcp-session' }));
  moved();
  await ledger.recordCall(call({ tool: 'ctx_store_file' }));
  await ledger.recordCall(call({ turn: 't1', returned: words(20) }));
  await ledger.recordCall(call({ turn: 't2', tool: 'ctx_store', through: words(8), answer: [words(5), words(6)] }));
  expect(await ledger.report({ conversation: 'c1' })).toEqual({
    counters: ['o200k_base'],
    calls: 3,
    unmeasured: 0,
    moved: { tokens: 1_000, label: 'computed' },
    excess: { tokens: 0, label: 'computed' },
    listing: { tokens: 100, label: 'measured' },
    turns: { count: 2, counted: true },
    listed: { tokens: 200, label: 'estimated' },
    call: { tokens: 30, label: 'measured' },
    through: { tokens: 8, label: 'measured' },
    answer: { tokens: 71, label: 'measured' },
    returned: { tokens: 20, label: 'measured' },
    net: { tokens: 1_000 - 200 - 30 - 71, label: 'estimated' },
    gain: 0.699,
    breakEven: 8,
    cacheHits: { count: 0, latency: 0 },
    tools: [
      { tool: 'ctx_search', calls: 1, call: 10, answer: 30, moved: 0 },
      { tool: 'ctx_store_file', calls: 1, call: 10, answer: 30, moved: 1_000 },
      { tool: 'ctx_store', calls: 1, call: 10, answer: 11, moved: 0 },
    ],
  });
});

test('a negative net is negative', async () => {
  await ledger.recordListing(listing());
  moved({ tokens: 20 });
  await ledger.recordCall(call());
  expect(await ledger.report({ session: 's1' })).toMatchObject({
    net: { tokens: 20 - 40 - 100 },
    gain: -6,
    breakEven: undefined,
  });
});

test('without turns one a conversation is assumed, and said so', async () => {
  await ledger.recordListing(listing());
  for (const conversation of ['c1', 'c1', 'c2']) await ledger.recordCall(call({ conversation, turn: undefined }));
  expect(await ledger.report({ session: 's1' })).toMatchObject({
    turns: { count: 2, counted: false },
    listed: { tokens: 200 },
  });
});

test('a turn pays the listing of its time', async () => {
  await ledger.recordListing(listing());
  await ledger.recordCall(call({ turn: 't1' }));
  await ledger.recordListing(listing({ conversation: 'another connection', texts: [words(10)] }));
  await ledger.recordCall(call({ turn: 't2' }));
  await ledger.recordCall(call({ turn: 't1' }));
  expect(await ledger.report({ conversation: 'c1' })).toMatchObject({
    listing: { tokens: 10 },
    turns: { count: 2 },
    listed: { tokens: 110 },
  });
});

test('a listing that comes after the first call prices that turn too', async () => {
  await ledger.recordCall(call());
  expect((await ledger.report({ conversation: 'c1' })).listed).toBeUndefined();
  await ledger.recordListing(listing());
  expect((await ledger.report({ conversation: 'c1' })).listed).toEqual({ tokens: 100, label: 'estimated' });
});

test('the excess is apart: it is in no net', async () => {
  moved({ tokens: 500, excess: 9_500 });
  await ledger.recordCall(call());
  expect(await ledger.report({ conversation: 'c1' })).toMatchObject({
    moved: { tokens: 500 },
    excess: { tokens: 9_500 },
    net: { tokens: 460 },
  });
});

test('a document moves once, and moves nothing where its transaction fails', async () => {
  moved();
  moved({ at: 2, conversation: 'c2', tokens: 9 });
  expect(() =>
    drawer.inTransaction((tx) => {
      recordMoved(tx, {
        ...account,
        of: { document: 'd2' },
        at: 1,
        counter: 'o200k_base',
        tool: '',
        tokens: 7,
        excess: 0,
        bytes: 7,
        estimated: false,
      });
      throw new Error('the document was refused');
    }),
  ).toThrow();
  expect(await ledger.report({ life: true })).toMatchObject({ moved: { tokens: 1_000 } });
});

test('an append that is sent twice counts once', async () => {
  const { call: once } = drawer;
  drawer.call = (async (name: 'ledger.append', args: never) => {
    await once(name, args);
    return once(name, args);
  }) as never;
  const twice = createLedger({ call: drawer.call, log: silentLog, counter: 'o200k_base', clock: () => 1 });
  await twice.recordCall(call());
  expect(await twice.report({ life: true })).toMatchObject({ calls: 1, call: { tokens: 10 }, turns: { count: 1 } });
});

test('sessions and conversations keep apart', async () => {
  await ledger.recordCall(call());
  await ledger.recordCall(call({ conversation: 'c2' }));
  await ledger.recordCall(call({ session: 's2', conversation: 'c3' }));
  const calls = async (args: Parameters<Ledger['report']>[0]): Promise<number> => (await ledger.report(args)).calls;
  expect(await calls({ conversation: 'c1' })).toBe(1);
  expect(await calls({ session: 's1' })).toBe(2);
  expect(await calls({ session: 'unknown' })).toBe(0);
  expect(await calls({ life: true })).toBe(3);
});

test('an estimated part makes its whole and the net estimated', async () => {
  moved({ estimated: true });
  await ledger.recordCall(call());
  expect(await ledger.report({ life: true })).toMatchObject({
    moved: { label: 'estimated' },
    call: { label: 'measured' },
    net: { label: 'estimated' },
  });
});

test('counts text for others', async () => {
  expect(await ledger.count({ text: words(7) })).toEqual({ tokens: 7, estimated: false, counter: 'o200k_base' });
});

describe('writing', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('calls within a second are one write', async () => {
    await ledger.recordCall(call());
    await ledger.recordCall(call());
    expect(drawer.ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(drawer.ran).toEqual(['ledger.append']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(drawer.ran).toEqual(['ledger.append']);
  });

  test('disposing writes what waits', async () => {
    void ledger.recordCall(call());
    await ledger.dispose();
    expect(drawer.ran).toEqual(['ledger.append']);
  });

  test('a failing write fails no call, is logged, and its calls are not measured', async () => {
    drawer.failure = new Error('disk full');
    await ledger.recordListing(listing());
    await ledger.recordCall(call());
    await ledger.recordCall(call({ conversation: 'c2' }));
    expect(await ledger.report({ conversation: 'c1' })).toMatchObject({ calls: 0, unmeasured: 1 });
    expect(errors).toEqual(['3 ledger entries were lost']);
    drawer.failure = undefined;
    await ledger.recordCall(call());
    const expected = { calls: 1, unmeasured: 1, listing: { tokens: 100 }, listed: { tokens: 100 } };
    expect(await ledger.report({ conversation: 'c1' })).toMatchObject(expected);
    // It is kept now, whoever asks.
    const other = createLedger({ call: drawer.call, log: silentLog, counter: 'o200k_base', clock: () => 1 });
    expect(await other.report({ conversation: 'c1' })).toMatchObject(expected);
    expect(await other.report({ life: true })).toMatchObject({ unmeasured: 2 });
  });
});
