/** Programs of different age at one drawer, and requests that are sent again. */
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { expect, test } from 'vitest';
import { fileFormat } from '#storage/file/journal.ts';
import type { Migration, RoomMigrations, Tx } from '#base/tx.ts';
import { openStore } from '#storage/store.ts';
import { later, open, Program, scratch, visit } from './harness.ts';
import { notes, withMore } from './notes.ts';

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
  const newer = await open(folder, { format: fileFormat + 1 });
  await newer.call('add', { writer: 'n', n: 1 });
  const older = await open(folder);
  expect(await older.call('count', undefined)).toBe(1);
  await newer.close();
  await expect(older.call('count', undefined)).rejects.toMatchObject({ code: 'DRAWER_NEWER' });
  await expect(open(folder)).rejects.toMatchObject({ code: 'DRAWER_NEWER' });
});

const more: Migration = { name: 'more', up: (tx) => void tx.run('alter table note add more text') };
const attic: RoomMigrations = {
  room: 'attic',
  migrations: [
    { name: 'boxes', up: (tx) => void tx.run('create table box (id integer primary key)') },
    { name: 'a box', up: (tx) => void tx.run('insert into box values (7)') },
  ],
};
const own = ['notes 1: notes: tables', 'notes 2: notes 2: words, and progress'];

test('migrations run once, numbered in their room; one more than this program has is from a newer Loom', async () => {
  const folder = scratch();
  await visit(folder, (store) => store.call('add', { writer: 'm', n: 1 }));
  for (const _ of ['once', 'again'])
    await visit(
      folder,
      async (store) => {
        expect(await store.call('migrations', undefined)).toEqual([...own, 'notes 3: more']);
        expect(await store.call('count', undefined)).toBe(1);
      },
      { migrations: withMore([more]) },
    );
  await expect(open(folder)).rejects.toMatchObject({ code: 'DRAWER_NEWER', message: /notes 3, "more"/ });
});

test('a room that this program does not have is left as it is, and goes on where it is there again', async () => {
  const folder = scratch();
  const both = { migrations: withMore([], attic) };
  await visit(folder, (store) => store.call('add', { writer: 'm', n: 1 }), both);
  await visit(folder, (store) => store.call('add', { writer: 'm', n: 2 }));
  const boxes = { kind: 'read' as const, run: (tx: Tx) => tx.all('select id from box') };
  const store = await openStore({ folder, ...notes, ...both, operations: { ...notes.operations, boxes } });
  later(() => store.close());
  expect(await store.call('boxes', undefined)).toEqual([{ id: 7 }]);
  expect(await store.call('migrations', undefined)).toEqual(['attic 1: boxes', 'attic 2: a box', ...own]);
  expect(await store.call('count', undefined)).toBe(2);
});

/** A drawer whose migrations are recorded by their names alone, as they were before they were numbered. */
const former = async (names: readonly string[]): Promise<Uint8Array> => {
  const sql = await initSqlJs();
  const database = new sql.Database();
  database.run('create table migration (name text primary key)');
  for (const name of names) database.run('insert into migration values (?)', [name]);
  database.run('create table note (id integer primary key, writer text, n integer, body blob)');
  database.run('create table tally (writer text primary key, count integer)');
  database.run("insert into note values (1, 'old', 1, x'00ff')");
  return database.export();
};

test('recorded names become numbers once, also those of rooms that are not there', async () => {
  const folder = scratch();
  const names = ['notes: tables', 'shed 1: tools, in order', 'shed: rakes'];
  writeFileSync(join(folder, 'drawer.sqlite'), await former(names));
  for (const _ of ['once', 'again'])
    await visit(folder, async (store) => {
      expect(await store.call('migrations', undefined)).toEqual([
        ...own,
        'shed 1: shed 1: tools, in order',
        'shed 2: shed: rakes',
      ]);
      expect(await store.call('all', undefined)).toEqual(['old 1']);
    });
  const newer = scratch();
  writeFileSync(join(newer, 'drawer.sqlite'), await former(['notes: tables', 'notes: b', 'notes: c']));
  await expect(open(newer)).rejects.toMatchObject({ code: 'DRAWER_NEWER', message: /notes 3, "notes: c"/ });
});

test('the drawer of the first version is taken over, and its file goes when the snapshot is there', async () => {
  const folder = scratch();
  const file = join(folder, 'drawer.sqlite');
  writeFileSync(file, await former(['notes: tables']));
  const kept = join(scratch(), 'kept');
  copyFileSync(file, kept);
  await visit(folder, async (store) => {
    expect(await store.call('all', undefined)).toEqual(['old 1']);
    expect(await store.call('body', 1)).toEqual(Uint8Array.of(0, 255));
    expect(await store.call('migrations', undefined)).toEqual(own);
    expect(existsSync(file)).toBe(false);
    await store.call('add', { writer: 'new', n: 2 });
  });
  // Should the old program write it once more, nothing of the new drawer is lost.
  copyFileSync(kept, file);
  expect(await visit(folder, (store) => store.call('all', undefined))).toEqual(['old 1', 'new 2']);
});

test('an old drawer whose takeover was interrupted is taken over again', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'drawer.sqlite'), await former(['notes: tables']));
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
