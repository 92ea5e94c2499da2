import { expect, test } from 'vitest';
import { addEntries } from '#ledger/entries.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { Image } from '#storage/image.ts';
import { migrationSteps } from '#storage/migrate.ts';

const account = { session: 's1', conversation: 'c1', client: 'vscode' };

/** What the first form of the ledger kept of a listing, a call of two turns, and a document. */
const formerRows = [
  "insert into ledger_account values (1, 's1', 'connection', 'vscode', 0), (2, 's1', 'c1', 'vscode', 0)",
  `insert into ledger_entry values
    (1, 'l', 1, 60000, 'listing', '', null, 'o200k_base', 100, 0, 0, 400, 0, null),
    (2, 'a call', 2, 120000, 'call', 'ctx_get', null, 'o200k_base', 10, 4, 0, 40, 0, 7),
    (3, 'a answer', 2, 120000, 'answer', 'ctx_get', null, 'o200k_base', 30, 20, 0, 120, 0, 7),
    (4, 'moved d1', 2, 7320000, 'moved', 'ctx_store_file', 'd1', 'o200k_base', 500, 0, 90, 2000, 1, null)`,
  "insert into ledger_turn values (2, 't1'), (2, 't2')",
  "insert into ledger_listing values ('s1', 'vscode', 1)",
  ...['session s1', 'conversation c1', 'life'].flatMap((scope) => [
    `insert into ledger_total values ('${scope}', 'call', 'ctx_get', 1, 10, 4, 0, 0),
      ('${scope}', 'answer', 'ctx_get', 1, 30, 20, 0, 0), ('${scope}', 'moved', 'ctx_store_file', 1, 500, 0, 90, 1)`,
    `insert into ledger_turns values ('${scope}', 2, 0, 2, 200, 1)`,
  ]),
];

test('a ledger of the first form says the same, and goes on', async () => {
  const image = await Image.open(undefined, []);
  const tx = image.tx(() => undefined);
  const steps = migrationSteps([{ room: 'ledger', migrations: ledgerMigrations }]);
  // The first step looks whether the drawer is a newer one's.
  const former = 1 + ledgerMigrations.findIndex(({ name }) => name.startsWith('ledger: scopes'));
  for (const { run } of steps.slice(0, former)) run(tx, undefined);
  for (const row of formerRows) tx.run(row);
  for (const { run } of steps.slice(former)) run(tx, undefined);
  const { 'ledger.report': report, 'ledger.entries': entries, 'ledger.series': series } = ledgerOperations;
  const terms = {
    counters: ['o200k_base'],
    calls: 1,
    unmeasured: 1,
    moved: { tokens: 500, label: 'estimated' },
    excess: { tokens: 90 },
    listing: { tokens: 100 },
    listed: { tokens: 200 },
    turns: { count: 2, counted: true },
    through: { tokens: 4 },
    returned: { tokens: 20 },
    net: { tokens: 260 },
  };
  for (const scope of [{ session: 's1' }, { conversation: 'c1' }, { life: true } as const]) {
    expect(report.run(tx, scope)).toMatchObject(terms);
    const { buckets } = series.run(tx, { ...scope, span: 'all', now: 7_400_000 });
    expect(buckets.reduce((sum, { net }) => sum + net, 0)).toBe(260);
  }
  const page = entries.run(tx, { life: true, offset: 0, limit: 9 });
  expect(page.rows.map(({ id, kind, latency }) => [id, kind, latency])).toEqual([
    [4, 'moved', undefined],
    [3, 'answer', 7],
    [2, 'call', 7],
    [1, 'listing', undefined],
  ]);
  const counted = { tokens: 5, bytes: 5, estimated: false, part: 0 };
  const call = { kind: 'call' as const, ...account, identity: 'b', at: 7_400_000, counter: 'cl100k_base', latency: 1 };
  addEntries(tx, [{ ...call, turn: 't3', tool: 'ctx_get', call: counted, answer: counted }]);
  expect(report.run(tx, { life: true })).toMatchObject({
    counters: ['cl100k_base', 'o200k_base'],
    net: { tokens: 260 - 10 - 100 },
  });
});
