import { beforeAll, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { openBatch } from '#ledger/batch.ts';
import { recordMoved, type LedgerEntry } from '#ledger/entries.ts';
import type { Append } from '#ledger/operations.ts';
import type { Counted, EntryRow, MovedEntry, Report, ReportArgs } from '#ledger/types.ts';
import { openTestDrawer, type TestDrawer } from './drawer.ts';
import { Oracle, plus, termsOf, type Terms } from './oracle.ts';
import { below, pick, seeded } from './random.ts';

const counter = 'o200k_base';
const clients = ['vscode', 'other'];
const tools = ['ctx_store', 'ctx_store_file', 'ctx_get', 'ctx_search', 'run_python'];
const year = 365 * 86_400_000;

const counted = (random: () => number): Counted & { part: number } => ({
  tokens: below(random, 400),
  bytes: below(random, 2_000),
  estimated: random() < 0.1,
  // More than its whole, now and then.
  part: random() < 0.5 ? 0 : below(random, 600),
});

type Names = { session: string; conversations: readonly string[] };
type Known = Pick<MovedEntry, 'session' | 'conversation' | 'client' | 'at' | 'counter'>;

const known = (random: () => number, { session, conversations }: Names): Known => ({
  session,
  conversation: pick(random, conversations),
  client: pick(random, clients),
  at: below(random, year),
  counter,
});

const someEntry = (random: () => number, names: Names): LedgerEntry => {
  // Few identities: some entries come twice.
  const about = { ...known(random, names), identity: `${names.session} ${below(random, 30)}` };
  const kind = random();
  if (kind < 0.2) return { ...about, kind: 'listing', listing: counted(random) };
  if (kind < 0.25) return { ...about, kind: 'cache_hit', tool: pick(random, tools), latency: below(random, 900) };
  return {
    ...about,
    kind: 'call',
    turn: random() < 0.8 ? `t${below(random, 4)}` : undefined,
    tool: pick(random, tools),
    call: counted(random),
    answer: counted(random),
    latency: 1,
  };
};

const someMoved = (random: () => number, names: Names): MovedEntry => ({
  ...known(random, names),
  ...counted(random),
  tool: pick(random, tools),
  // Executions of two sessions have the same numbers, documents never do.
  of: random() < 0.5 ? { execution: below(random, 4) } : { document: `d${names.session}${below(random, 4)}` },
  excess: below(random, 5_000),
});

/** Enters a random ledger into `drawer`, in batches, some of them sent twice, some of them failing, and into `oracle`. */
const enter = async (drawer: TestDrawer, oracle: Oracle, random: () => number, names: Names): Promise<void> => {
  const call = (async (name: 'ledger.append', args: Append) => {
    await drawer.call(name, args);
    // Entries come twice where their answer was lost; what the storage knows again by its key does not.
    if (random() < 0.2) await drawer.call(name, { ...args, unmeasured: [] });
  }) as TestDrawer['call'];
  const batch = openBatch(call, silentLog);
  let waiting: LedgerEntry[] = [];
  const write = async (failure: Error | undefined): Promise<void> => {
    drawer.failure = failure;
    await batch.write();
    drawer.failure = undefined;
    for (const entry of waiting)
      if (failure === undefined) oracle.enter(entry);
      else if (entry.kind === 'call') oracle.lose(entry);
    // What is not a call goes with the next write.
    waiting = failure === undefined ? [] : waiting.filter(({ kind }) => kind !== 'call');
  };
  for (let steps = 1 + below(random, 16); steps > 0; steps--) {
    if (random() < 0.3) {
      const moved = someMoved(random, names);
      drawer.inTransaction((tx) => recordMoved(tx, moved));
      oracle.move(moved);
    } else {
      const entry = someEntry(random, names);
      batch.add(entry);
      waiting.push(entry);
    }
    if (random() < 0.3) await write(random() < 0.2 ? new Error('disk full') : undefined);
  }
  await write(undefined);
};

/** What holds of every report. */
const checkReport = (report: Report, expected: Terms): void => {
  const terms = termsOf(report);
  expect(terms).toEqual(expected);
  expect(terms.through).toBeLessThanOrEqual(terms.call);
  expect(terms.returned).toBeLessThanOrEqual(terms.answer);
  for (const key of ['calls', 'call', 'answer', 'moved'] as const)
    expect(report.tools.reduce((sum, tool) => sum + tool[key], 0)).toBe(terms[key]);
  if (terms.calls === 0) {
    expect([report.net, report.gain]).toEqual([undefined, undefined]);
    return;
  }
  const net = terms.moved - terms.answer - terms.call - terms.listed;
  expect(report.net?.tokens).toBe(net);
  expect(report.gain).toBe(terms.moved > 0 ? net / terms.moved : undefined);
  expect(report.gain ?? 0).toBeLessThanOrEqual(1);
};

const sumOf = (rows: readonly EntryRow[], kind: EntryRow['kind'], of: (row: EntryRow) => number): number =>
  rows.reduce((sum, row) => sum + (row.kind === kind ? of(row) : 0), 0);

/** The entries of a scope, page by page, and its buckets say what its report says. */
const checkParts = async (drawer: TestDrawer, scope: ReportArgs, terms: Terms, limit: number): Promise<void> => {
  const rows: EntryRow[] = [];
  for (let total = 1; rows.length < total;) {
    const page = await drawer.call('ledger.entries', { ...scope, offset: rows.length, limit });
    if (page.rows.length === 0) break;
    rows.push(...page.rows);
    total = page.total;
  }
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect({
    calls: sumOf(rows, 'call', () => 1),
    call: sumOf(rows, 'call', ({ tokens }) => tokens),
    answer: sumOf(rows, 'answer', ({ tokens }) => tokens),
    moved: sumOf(rows, 'moved', ({ tokens }) => tokens),
    excess: sumOf(rows, 'moved', ({ excess }) => excess),
    hits: sumOf(rows, 'cache_hit', ({ tokens }) => tokens),
  }).toEqual({
    calls: terms.calls,
    call: terms.call,
    answer: terms.answer,
    moved: terms.moved,
    excess: terms.excess,
    hits: 0,
  });
  for (const { part, tokens } of rows) expect(part).toBeLessThanOrEqual(tokens);
  const { buckets } = await drawer.call('ledger.series', { ...scope, span: 'all', now: year });
  const sum = (key: 'moved' | 'call' | 'answer' | 'listed' | 'net'): number =>
    buckets.reduce((total, bucket) => total + bucket[key], 0);
  const { moved, call, answer, listed } = terms;
  expect([sum('moved'), sum('call'), sum('answer'), sum('listed'), sum('net')]).toEqual([
    moved,
    call,
    answer,
    listed,
    moved - call - answer - listed,
  ]);
};

const ledgers = 1_000;
let drawer: TestDrawer;
beforeAll(async () => {
  drawer = await openTestDrawer();
});

test(`${ledgers} random sessions, of two conversations each, add up`, async () => {
  const random = seeded(7);
  const oracle = new Oracle();
  const report = (args: ReportArgs): Promise<Report> => drawer.call('ledger.report', args);
  let before = termsOf(await report({ life: true }));
  for (let n = 0; n < ledgers; n++) {
    const session = `s${n}`;
    const names = { session, conversations: [`${session}a`, `${session}b`] };
    await enter(drawer, oracle, random, names);
    const whole = oracle.terms('session', session);
    checkReport(await report({ session }), whole);
    let parts = plus(whole, Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, -value])));
    for (const conversation of names.conversations) {
      const terms = oracle.terms('conversation', conversation);
      checkReport(await report({ conversation }), terms);
      parts = plus(parts, terms);
    }
    // Nothing is in two conversations, and nothing in none.
    expect(parts).toEqual(whole);
    if (n % 10 !== 0) continue;
    await checkParts(drawer, { session }, whole, 1 + below(random, 9));
    // Totals for life only grow.
    const life = termsOf(await report({ life: true }));
    for (const key of Object.keys(life) as (keyof Terms)[]) expect(life[key]).toBeGreaterThanOrEqual(before[key]);
    before = life;
  }
  checkReport(await report({ life: true }), oracle.terms('life'));
  await checkParts(drawer, { life: true }, oracle.terms('life'), 2_000);
}, 180_000);
