/** What the door promises when nothing goes wrong. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read, write } from '#base/operation.ts';
import { openStore } from '#storage/store.ts';
import { later, open, Program, scratch, until, visit } from './harness.ts';
import { notes, operations } from './notes.ts';

test('writes are there for every member, and after the last one closed', async () => {
  const folder = join(scratch(), 'new');
  const [a, b] = [await open(folder), await open(folder)];
  expect([(await a.health()).role, (await b.health()).role]).toEqual(['owner', 'client']);
  const body = Uint8Array.of(0, 255, 10, 13, 0);
  await a.call('add', { writer: 'a', n: 1, text: 'hello' });
  expect(await b.call('add', { writer: 'b', n: 2, body })).toEqual({ count: 1 });
  expect(await a.call('body', 2)).toEqual(body);
  expect(await b.call('body', 2)).toEqual(body);
  expect(await b.call('find', 'HELLOx')).toEqual([1]);
  await a.close();
  expect(await b.call('all', undefined)).toEqual(['a 1', 'b 2']);
  await b.close();
  expect(await visit(folder, (store) => store.call('all', undefined))).toEqual(['a 1', 'b 2']);
});

test('an operation that fails changes nothing and says why, to the owner and to a client', async () => {
  const folder = scratch();
  for (const store of [await open(folder), await open(folder)]) {
    await expect(store.call('fail', undefined)).rejects.toMatchObject({ code: 'INTERNAL', message: /nowhere/ });
    expect(await store.call('tallies', undefined)).toEqual([]);
    await expect(store.call('nothing' as never, undefined as never)).rejects.toThrow('no operation nothing');
  }
});

test('the same key is applied once and answered alike, also at the same time and after a reopening', async () => {
  const folder = scratch();
  const [a, b] = [await open(folder), await open(folder)];
  const add = (store: typeof a) => store.call('add', { writer: 'k', n: 1 }, { key: 'once' });
  expect(await Promise.all([add(a), add(b), add(a)])).toEqual([{ count: 1 }, { count: 1 }, { count: 1 }]);
  await a.close();
  await b.close();
  expect(await visit(folder, add)).toEqual({ count: 1 });
});

test('every member hears of every commit', async () => {
  const folder = scratch();
  const heard = [0, 0, 0];
  const stores = [];
  for (const i of heard.keys()) stores.push(await open(folder, { onChange: () => heard[i]!++ }));
  for (const [i, store] of stores.entries()) {
    const before = [...heard];
    await store.call('add', { writer: 'c', n: i });
    await until(() => heard.every((count, j) => count > before[j]!), `word of the commit of ${i}`);
  }
});

test('a job commits in stretches, lets others in, and answers at its end', async () => {
  const folder = scratch();
  const [a, b] = [await open(folder), await open(folder)];
  let done = false;
  const job = b.call('index', { name: 'j', count: 400 }).then((n) => {
    done = true;
    return n;
  });
  let between = 0;
  while (!done) {
    await a.call('add', { writer: 'between', n: ++between });
    await a.call('count', undefined);
  }
  expect(await job).toBe(400);
  expect(between).toBeGreaterThan(2);
});

test('a read cannot write, and a write is not hidden in a query', async () => {
  const folder = scratch();
  const sly = {
    ...operations,
    count: read((tx) => tx.run('delete from note')),
    sum: write((tx) => tx.all('delete from note returning 1').length),
  };
  const store = await openStore({ folder, ...notes, operations: sly });
  later(() => store.close());
  await store.call('add', { writer: 'r', n: 1 });
  await expect(store.call('count', undefined)).rejects.toThrow('a read may not change');
  await expect(store.call('sum', undefined)).rejects.toThrow('must go through run');
  expect(await store.call('all', undefined)).toEqual(['r 1']);
});

test('at the cap what grows is refused, what frees is not, and listed operations go on', async () => {
  const store = await open(scratch(), { maxBytes: () => 400_000, uncapped: ['fill'] });
  const big = (n: number) => store.call('add', { writer: 'w', n, body: new Uint8Array(50_000) });
  let n = 0;
  await expect(
    (async () => {
      for (;;) await big(++n);
    })(),
  ).rejects.toMatchObject({ code: 'DRAWER_FULL' });
  expect((await store.health()).nearlyFull).toBe(true);
  expect(await store.call('count', undefined)).toBe(n - 1);
  expect(await store.call('fill', { name: 'more', count: 20, size: 4_000 })).toBe(20);
  await store.call('remove', 'w');
  await store.call('remove', 'more');
  expect(await big(n)).toBeDefined();
});

test('a deadline says whether a write may have been applied', async () => {
  const folder = scratch();
  const [a] = await Program.start(1);
  await a!.open(folder);
  const b = await open(folder);
  const busy = a!.tell('call', { name: 'index' as never, args: { name: 'busy', count: 60 } as never });
  // One that answers would be in time now and then.
  await a!.kill('SIGSTOP');
  const late = b.call('add', { writer: 'd', n: 1 }, { deadline: 1, key: 'late' });
  await expect(late).rejects.toMatchObject({ code: 'DEADLINE', maybeApplied: true });
  await expect(b.call('index', { name: 'x', count: 50 }, { deadline: 1 })).rejects.toThrow('may still be applied');
  await expect(b.call('count', undefined, { deadline: 0 })).rejects.toMatchObject({
    code: 'DEADLINE',
    maybeApplied: false,
  });
  await a!.kill('SIGCONT');
  expect(await b.call('add', { writer: 'd', n: 1 }, { key: 'late' })).toEqual({ count: 1 });
  expect(await busy).toBe(60);
});

test('closing rejects what is open, and nothing can be asked afterwards', async () => {
  const store = await open(scratch());
  const job = store.call('index', { name: 'long', count: 100_000 });
  job.catch(() => undefined);
  await store.call('count', undefined);
  await store.close();
  await expect(job).rejects.toMatchObject({ code: 'DRAWER_CLOSED' });
  await expect(store.call('count', undefined)).rejects.toMatchObject({ code: 'DRAWER_CLOSED' });
});

test.runIf(process.platform !== 'win32')('nobody else may look into the folder', async () => {
  const folder = join(scratch(), 'mine');
  const store = await open(folder);
  await store.call('add', { writer: 'm', n: 1 });
  await store.checkpoint();
  const mode = (path: string): number => statSync(path).mode & 0o077;
  expect(
    [folder, join(folder, 'owner.1'), join(folder, 'drawer.1.log'), join(folder, 'drawer.2.sqlite')].map(mode),
  ).toEqual([0, 0, 0, 0]);
});

test('a folder on a network file system is refused before anything is written', async () => {
  const folder = scratch();
  await expect(open(folder, { network: () => 'NFS' })).rejects.toMatchObject({
    code: 'DRAWER_NETWORK',
    message: /NFS/,
  });
  expect(existsSync(join(folder, 'owner.1'))).toBe(false);
});

test('a very long folder name: the socket goes elsewhere', async () => {
  const folder = join(scratch(), 'x'.repeat(90), 'y'.repeat(60));
  mkdirSync(folder, { recursive: true });
  const [a, b] = [await open(folder), await open(folder)];
  await b.call('add', { writer: 'l', n: 1 });
  expect(await a.call('count', undefined)).toBe(1);
});
