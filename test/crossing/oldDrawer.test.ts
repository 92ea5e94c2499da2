/** A drawer that was made before migrations were numbered: a document, a cell and their bill, in two journals. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from '#base/operation.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import { openStore } from '#storage/store.ts';
import { runLoom } from '../fixtures.ts';
import { temporary } from './temporary.ts';

const text = 'first line of an old drawer\nsecond line with a needle in it\nthird line, ERROR 42\n';
// The drawer's sessions are as old as the fixture.
const env = { LOOM_TTL_DAYS: '100000' };

const oldDrawer = (name = 'oldDrawer'): string => {
  const folder = join(temporary(), 'drawer');
  cpSync(join(import.meta.dirname, '../fixtures', name), folder, { recursive: true });
  return folder;
};

test('it opens, is brought up to date, and opens again, with all that was in it', async () => {
  const folder = oldDrawer();
  for (const round of [1, 2]) {
    expect(await runLoom(folder, ['get', 'd1'], { env })).toEqual({ code: 0, out: text, notes: '' });
    expect((await runLoom(folder, ['search', 'needle'], { env })).out).toContain(': second line with a needle');
    expect((await runLoom(folder, ['stats'], { env })).out).toMatch(/run_python: 1 call/);
    const stored = await runLoom(folder, ['store', '--title', `new ${round}`], {
      env,
      input: `new in round ${round}\n`,
    });
    expect(stored.out).toContain(`d${round + 1}\tnew ${round}`);
  }
  expect((await runLoom(folder, ['doctor'])).out).toMatch(/SQLite finds it sound/);
});

test('a sealed one, of pieces of 4 MiB and a journal that holds everything once, opens and is written on', async () => {
  const folder = oldDrawer('oldSealedDrawer');
  const sealed = { ...env, LOOM_DB_PASSWORD: 'an old passphrase' };
  const texts = [
    'first line of an old sealed drawer\nsecond line with a needle in it\n',
    'written after the sealing\n',
  ];
  expect((await runLoom(folder, ['store', '--title', 'new'], { env: sealed, input: 'new\n' })).out).toContain(
    'd3\tnew',
  );
  for (const [n, out] of [...texts, 'new\n'].entries())
    expect(await runLoom(folder, ['get', `d${n + 1}`], { env: sealed })).toEqual({ code: 0, out, notes: '' });
  // It stood on one snapshot alone: now there is a second way to its state.
  expect((await runLoom(folder, ['doctor'], { env: sealed })).out).toMatch(
    /sealed \(passphrase\)[^]*drawer\.\d+\.copy: .*whole[^]*sound/,
  );
});

test('a program without the ledger and the kernel opens it, and leaves their tables alone', async () => {
  const folder = oldDrawer();
  const rows = read((tx, sql: string) => tx.all<Record<string, number>>(sql));
  const store = await openStore({
    folder,
    operations: { rows },
    migrations: [{ room: 'drawer', migrations: drawerMigrations }],
    functions: drawerFunctions,
  });
  const numbers = 'select room, max(number) as number from migration group by room';
  expect(await store.call('rows', numbers)).toEqual([
    { room: 'drawer', number: 5 },
    { room: 'kernel', number: 2 },
    { room: 'ledger', number: 3 },
  ]);
  expect(await store.call('rows', 'select count(*) as n from execution')).toEqual([{ n: 1 }]);
  await store.close();
  expect((await runLoom(folder, ['stats'], { env })).out).toMatch(/run_python: 1 call/);
});
