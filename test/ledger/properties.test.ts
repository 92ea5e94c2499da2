import { expect, test } from 'vitest';
import { recordMoved, type LedgerEntry } from '#ledger/entries.ts';
import type { Figure, Report, ReportArgs } from '#ledger/service.ts';
import { openTestDrawer, type TestDrawer } from './drawer.ts';
import { below, pick, seeded } from './random.ts';

const sessions = ['s1', 's2'];
const conversations = ['c1', 'c2', 'c3'];
const clients = ['Visual Studio Code', 'other'];
const tools = ['ctx_store', 'ctx_store_file', 'ctx_get', 'ctx_search'];

/** Adds one random listing, call or moved document; some come twice under one identity, some parts exceed their whole. */
const step = async (drawer: TestDrawer, random: () => number, at: number): Promise<void> => {
  const account = {
    session: pick(random, sessions),
    conversation: pick(random, conversations),
    client: pick(random, clients),
  };
  const count = (): { tokens: number; bytes: number; estimated: boolean; part: number } => ({
    tokens: below(random, 400),
    bytes: below(random, 2_000),
    estimated: random() < 0.1,
    part: below(random, 600),
  });
  const identity = `run-${below(random, 200)}`;
  if (random() < 0.3) {
    const entry = {
      ...account,
      ...count(),
      of: { document: `d${below(random, 60)}` },
      at,
      counter: 'o200k_base',
      tool: pick(random, tools),
    };
    drawer.inTransaction((tx) => recordMoved(tx, { ...entry, excess: below(random, 5_000) }));
    return;
  }
  const entry: LedgerEntry =
    random() < 0.2
      ? { kind: 'listing', ...account, identity, at, counter: 'o200k_base', listing: count() }
      : {
          kind: 'call',
          ...account,
          identity,
          at,
          counter: 'o200k_base',
          turn: random() < 0.8 ? `t${below(random, 8)}` : undefined,
          tool: pick(random, tools),
          call: count(),
          answer: count(),
          latency: 1,
        };
  await drawer.call('ledgerAppend', { entries: random() < 0.1 ? [entry, entry] : [entry], unmeasured: [] });
};

const tokens = (figure: Figure | undefined): number => figure?.tokens ?? 0;

/** What holds of every report. */
const checkSums = (report: Report): void => {
  const { call, answer, moved, net, listed } = report;
  expect(report.through.tokens).toBeLessThanOrEqual(call.tokens);
  expect(report.returned.tokens).toBeLessThanOrEqual(answer.tokens);
  for (const key of ['calls', 'call', 'answer', 'moved'] as const) {
    const whole = key === 'calls' ? report.calls : report[key].tokens;
    expect(report.tools.reduce((sum, tool) => sum + tool[key], 0)).toBe(whole);
  }
  if (report.calls === 0) {
    expect([net, report.gain]).toEqual([undefined, undefined]);
    return;
  }
  expect(net?.tokens).toBe(moved.tokens - call.tokens - answer.tokens - tokens(listed));
  if (report.gain !== undefined) expect(Math.sign(report.gain)).toBe(Math.sign(tokens(net)));
  expect(report.gain ?? 0).toBeLessThanOrEqual(1);
};

const totals = (report: Report): number[] => [
  report.calls,
  ...[report.moved, report.excess, report.listed, report.call, report.answer].map(tokens),
  report.turns.count,
];

test.each([1, 2, 3, 4])('ledger of seed %i adds up at every step', async (seed) => {
  const random = seeded(seed);
  const drawer = await openTestDrawer();
  const report = (args: ReportArgs): Promise<Report> => drawer.call('ledgerReport', args);
  let before = totals(await report({ life: true }));
  for (let at = 0; at < 120; at++) {
    await step(drawer, random, at);
    const life = await report({ life: true });
    checkSums(life);
    // Totals for life only grow.
    const now = totals(life);
    for (const [i, total] of now.entries()) expect(total).toBeGreaterThanOrEqual(before[i]!);
    before = now;
  }
  // What is kept up with every entry is what the entries say.
  const summed = drawer.inTransaction((tx) =>
    tx.get<{ call: number; moved: number; excess: number }>(
      `select total(iif(kind = 'call', tokens, 0)) as call, total(iif(kind = 'moved', tokens, 0)) as moved,
        total(excess) as excess from ledger_entry join ledger_class as c on c.id = class`,
    ),
  );
  const { call, moved, excess } = await report({ life: true });
  expect(summed).toEqual({ call: call.tokens, moved: moved.tokens, excess: excess.tokens });
  // Nothing is in two places, and nothing in none.
  const life = totals(await report({ life: true }));
  for (const scopes of [
    sessions.map((session) => ({ session })),
    conversations.map((conversation) => ({ conversation })),
  ]) {
    const parts = await Promise.all(scopes.map(report));
    parts.forEach(checkSums);
    expect(life).toEqual(life.map((_, i) => parts.reduce((sum, part) => sum + totals(part)[i]!, 0)));
  }
});
