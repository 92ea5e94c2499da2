import { write } from '#base/operation.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerOperations } from '#drawer/operations.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import { uuidv7 } from '#drawer/sessions/sessions.ts';
import { kernelMigrations } from '#kernel/executions/migrations.ts';
import type { LedgerEntry } from '#ledger/entries.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { openStore } from '#storage/store.ts';

const counted = (tokens: number) => ({ tokens, bytes: 4 * tokens, estimated: false, part: 0 });

const numbers = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)';

/** Entries 1 to 4 become `times` as many, with the sums that a report and a page are read from. */
const multiply = [
  `${numbers} insert into ledger_entry (id, identity, account, class, at, tokens, part, excess, bytes, estimated, latency)
    select id + 4 * i, 'seeded ' || (id + 4 * i), account, class, at + i, tokens, part, excess, bytes, estimated, latency
    from n, ledger_entry`,
  `${numbers} insert into ledger_place (scope, entry, class) select scope, entry + 4 * i, class from n, ledger_place`,
  'update ledger_total set entries = entries * (?1 + 1), tokens = tokens * (?1 + 1)',
  'update ledger_time set call = call * (?1 + 1), answer = answer * (?1 + 1)',
];

const seeding = {
  'test.multiply': write((tx, times: number): void => {
    for (const statement of multiply) tx.run(statement, [times - 1]);
  }),
};

/** Puts so many entries into the ledger of VS Code's session in `root`; nobody may own the drawer yet. */
export const seedLedger = async (folder: string, root: string, entries: number): Promise<void> => {
  const store = await openStore({
    folder,
    operations: { ...drawerOperations, ...ledgerOperations, ...seeding },
    migrations: [
      { room: 'drawer', migrations: drawerMigrations },
      { room: 'ledger', migrations: ledgerMigrations },
      { room: 'kernel', migrations: kernelMigrations },
    ],
    functions: drawerFunctions,
  });
  const now = Date.now();
  const session = await store.call('drawer.session', { client: 'vscode', root, id: uuidv7(now), now });
  const call = (tool: string): LedgerEntry => ({
    kind: 'call',
    session,
    conversation: 'seeded',
    client: 'vscode',
    counter: 'o200k_base',
    identity: tool,
    at: now - 3_600_000,
    turn: tool,
    tool,
    call: counted(24),
    answer: counted(310),
    latency: 12,
  });
  await store.call('ledger.append', { entries: [call('ctx_get'), call('ctx_search')], unmeasured: [] });
  await store.call('test.multiply', entries / 4);
  await store.close();
};
