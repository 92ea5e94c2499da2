/** Programs of different age at one drawer, and requests that are sent again. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '#storage/store.ts';
import { later, open, Program, scratch, visit } from './harness.ts';
import { migrations, notes } from './notes.ts';

test('a newer client: the older owner lets go, and asks in vain from then on', async () => {
  const folder = scratch();
  const older = await open(folder, { protocol: [1, 1] });
  await older.call('add', { writer: 'o', n: 1 });
  const newer = await open(folder, { protocol: [2, 3] });
  expect(await newer.health()).toMatchObject({ role: 'owner' });
  await expect(older.call('count', undefined)).rejects.toMatchObject({
    code: 'DRAWER_PROTOCOL',
    message: /Reload this window/,
  });
  await newer.close();
  expect(await older.call('count', undefined)).toBe(1);
});

test('an older client at a newer owner is told to reload; one whose protocols meet is served', async () => {
  const folder = scratch();
  const owner = await open(folder, { protocol: [2, 3] });
  await expect(open(folder, { protocol: [1, 1] })).rejects.toMatchObject({ code: 'DRAWER_PROTOCOL' });
  const between = await open(folder, { protocol: [1, 2] });
  await between.call('add', { writer: 'b', n: 1 });
  expect(await owner.call('count', undefined)).toBe(1);
});

test('a newer format may be used, never owned', async () => {
  const folder = scratch();
  const newer = await open(folder, { format: 2 });
  await newer.call('add', { writer: 'n', n: 1 });
  const older = await open(folder);
  expect(await older.call('count', undefined)).toBe(1);
  await newer.close();
  await expect(older.call('count', undefined)).rejects.toMatchObject({ code: 'DRAWER_NEWER' });
  await expect(open(folder)).rejects.toMatchObject({ code: 'DRAWER_NEWER' });
});

test('migrations run once, in order; a drawer with one that is not known is from a newer Loom', async () => {
  const folder = scratch();
  await visit(folder, (store) => store.call('add', { writer: 'm', n: 1 }));
  const more = [
    ...migrations,
    { name: 'more', up: (tx: { run: (sql: string) => number }) => void tx.run('alter table note add more text') },
  ];
  for (const _ of ['once', 'again'])
    await visit(
      folder,
      async (store) => {
        expect(await store.call('migrations', undefined)).toEqual(['notes', 'words', 'more']);
        expect(await store.call('count', undefined)).toBe(1);
      },
      { migrations: more },
    );
  await expect(open(folder)).rejects.toMatchObject({ code: 'DRAWER_NEWER', message: /"more"/ });
});

test('the drawer of the first version is taken over, and its file goes when the snapshot is there', async () => {
  const folder = scratch();
  const sql = await initSqlJs();
  const first = new sql.Database();
  first.run("create table migration (name text primary key); insert into migration values ('notes')");
  first.run('create table note (id integer primary key, writer text, n integer, body blob)');
  first.run(
    "create table tally (writer text primary key, count integer); insert into note values (1, 'old', 1, x'00ff')",
  );
  const file = join(folder, 'drawer.sqlite');
  writeFileSync(file, first.export());
  const kept = join(scratch(), 'kept');
  copyFileSync(file, kept);
  await visit(folder, async (store) => {
    expect(await store.call('all', undefined)).toEqual(['old 1']);
    expect(await store.call('body', 1)).toEqual(Uint8Array.of(0, 255));
    expect(await store.call('migrations', undefined)).toEqual(['notes', 'words']);
    expect(existsSync(file)).toBe(false);
    await store.call('add', { writer: 'new', n: 2 });
  });
  // Should the old program write it once more, nothing of the new drawer is lost.
  copyFileSync(kept, file);
  expect(await visit(folder, (store) => store.call('all', undefined))).toEqual(['old 1', 'new 2']);
});

test('an old drawer whose takeover was interrupted is taken over again', async () => {
  const folder = scratch();
  const sql = await initSqlJs();
  const first = new sql.Database();
  first.run(
    "create table note (id integer primary key, writer text, n integer, body blob); insert into note values (1, 'old', 1, null)",
  );
  first.run(
    "create table tally (writer text primary key, count integer); create table migration (name text primary key); insert into migration values ('notes')",
  );
  writeFileSync(join(folder, 'drawer.sqlite'), first.export());
  for (const point of ['recovered', 'checkpoint-rotated', 'snapshot-before-rename', 'checkpoint-before-tidying']) {
    const [program] = await Program.start(1);
    await program!.open(folder, { trouble: { point, act: 'kill' } }).catch(() => undefined);
    expect(await program!.gone).toBe('SIGKILL');
  }
  expect(await visit(folder, (store) => store.call('all', undefined))).toEqual(['old 1']);
});

test('a write whose answer was lost with its owner is sent again and applied once', async () => {
  const folder = scratch();
  const [owner] = await Program.start(1);
  // Durable, and then dead before it answers.
  await owner!.open(folder, { trouble: { point: 'fence-passed', nth: 9, act: 'kill' } });
  const client = await open(folder);
  for (let n = 1; n <= 10; n++) expect(await client.call('add', { writer: 'c', n })).toEqual({ count: n });
  expect(await owner!.gone).toBe('SIGKILL');
  expect(await client.call('all', undefined)).toHaveLength(10);
});

test('the window of keys: an idle member may still write, and what is too old to tell is refused', async () => {
  const folder = scratch();
  const [a, b] = [await open(folder), await open(folder)];
  await b.call('add', { writer: 'b', n: 1 }, { key: 'first' });
  await b.call('add', { writer: 'b', n: 2 }, { key: 'second' });
  for (let i = 0; i < 100; i++)
    await Promise.all(Array.from({ length: 201 }, (_, n) => a.call('add', { writer: `a${i}`, n: n + 1 })));
  expect(await a.call('keys', undefined)).toBe(20_000);
  expect(await b.call('add', { writer: 'b', n: 3 })).toEqual({ count: 3 });
  // Still in the window, its answer is not.
  const recent = a.call('add', { writer: 'a50', n: 1 }, { key: 'recent' });
  await recent;
  for (let i = 0; i < 11; i++)
    await Promise.all(Array.from({ length: 200 }, (_, n) => a.call('add', { writer: `z${i}`, n: n + 1 })));
  await expect(b.call('add', { writer: 'a50', n: 1 }, { key: 'recent' })).rejects.toMatchObject({
    code: 'WRITE_UNKNOWN',
  });
});

test('an answer crosses the wire as it is', async () => {
  const folder = scratch();
  const odd = {
    $b: [1],
    text: '\ud800 \0 𝄞',
    deep: [undefined, null, NaN, -Infinity, 2 ** 53],
    bytes: Uint8Array.of(1, 2),
    big: 2n ** 60n,
  };
  const operations = { ...notes.operations, echo: { kind: 'read' as const, run: (_: unknown, args: unknown) => args } };
  const stores = [];
  for (const _ of ['owner', 'client']) stores.push(await openStore({ folder, ...notes, operations }));
  for (const store of stores) {
    later(() => store.close());
    expect(await store.call('echo', odd)).toEqual(odd);
    expect(await store.call('echo', undefined)).toBeUndefined();
  }
});
