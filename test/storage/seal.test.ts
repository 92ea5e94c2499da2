/** Sealed: nothing plain in any file, only who has a key gets in, and it goes both ways. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { newSecret } from '#storage/sealing/keySlots.ts';
import type { Keys, Sealing } from '#storage/types.ts';
import { files, open, Program, recordsOf, scratch, visit } from './harness.ts';

const title = 'ZEBRA-TITLE-4711';
const word = 'quagmirewort';
const body = Buffer.from('the wombat keeps its secret in a burrow of bytes '.repeat(50));

/** Everything that is in any file of the folder. */
const bytesOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n');
const plainIn = (folder: string): string[] =>
  [title, word, 'wombat', 'SQLite format 3', 'insert into'].filter((text) => bytesOf(folder).includes(text));
const everything = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));

const fillUp = async (folder: string, keys: Keys = {}): Promise<void> =>
  visit(
    folder,
    async (store) => {
      await store.call('add', { writer: title, n: 1, body, text: word });
      await store.checkpoint();
      await store.call('add', { writer: title, n: 2, body, text: word });
    },
    { keys: () => keys },
  );

const secret = newSecret();
const passphrase = 'correct horse battery staple';
const ways: [Sealing & { kind: string }, Keys][] = [
  [{ kind: 'passphrase', passphrase }, { passphrase }],
  [{ kind: 'secretStorage', secret }, { secret }],
];

test.each(ways)('sealed with a $kind: no plain byte on disk, and each key opens it', async (sealing, keys) => {
  const folder = scratch();
  await fillUp(folder);
  expect(plainIn(folder)).toHaveLength(5);
  const recoveryKey = await visit(folder, async (store) => {
    const made = await store.seal(sealing);
    expect(plainIn(folder)).toEqual([]);
    expect((await store.health()).sealed).toBe(sealing.kind);
    await store.call('add', { writer: title, n: 3, body, text: word });
    expect(plainIn(folder)).toEqual([]);
    return made.recoveryKey;
  });
  await fillUp(folder, keys);
  expect(plainIn(folder)).toEqual([]);
  for (const good of [keys, { recoveryKey }, { recoveryKey: recoveryKey!.toLowerCase().replaceAll('-', ' ') }])
    await visit(
      folder,
      async (store) => {
        expect(await store.call('count', undefined)).toBe(5);
        expect(await store.call('find', word)).toHaveLength(5);
      },
      { keys: () => good },
    );
  const before = everything(folder);
  for (const bad of [{}, { passphrase: 'wrong horse' }, { secret: newSecret() }, { recoveryKey: '0000-1111' }])
    await expect(open(folder, { keys: () => bad })).rejects.toMatchObject({ code: 'DRAWER_KEY', message: /sealed/ });
  expect(everything(folder)).toEqual(before);
});

test('sealing anew changes the key; opening it again leaves no sealed file', async () => {
  const folder = scratch();
  await fillUp(folder);
  await visit(folder, async (store) => {
    const first = await store.seal({ kind: 'passphrase', passphrase });
    const oldFile = readFileSync(files(folder, 'sqlite')[0]!);
    const second = await store.seal({ kind: 'passphrase', passphrase: 'another one' });
    expect(second.recoveryKey).not.toBe(first.recoveryKey);
    expect(files(folder, 'sqlite').map((file) => readFileSync(file))).not.toContainEqual(oldFile);
  });
  for (const old of [{ passphrase }, {}])
    await expect(open(folder, { keys: () => old })).rejects.toMatchObject({ code: 'DRAWER_KEY' });
  await visit(folder, (store) => store.seal({ kind: 'off' }), { keys: () => ({ passphrase: 'another one' }) });
  expect(bytesOf(folder)).not.toContain('"sealed"');
  expect(plainIn(folder)).not.toEqual([]);
  expect(await visit(folder, (store) => store.call('count', undefined))).toBe(2);
});

test.each(['log-written', 'log-renamed', 'append', 'appended', 'synced', 'ready'])(
  'a new drawer that must be sealed is killed at %s: no plain byte, and it opens',
  async (point) => {
    const folder = scratch();
    const keys = { passphrase, onlySealed: { recoveryKey: false } };
    const [program] = await Program.start(1);
    const opening = program!.open(folder, { keys, trouble: { point, share: 0.5, act: 'kill' } });
    await expect(opening).rejects.toMatchObject({ code: 'GONE' });
    expect([...plainIn(folder), ...(bytesOf(folder).match(/create table/) ?? [])]).toEqual([]);
    const store = await open(folder, { keys: () => keys });
    await store.call('add', { writer: title, n: 1, body, text: word });
    expect(plainIn(folder)).toEqual([]);
    await store.close();
    await expect(open(folder)).rejects.toMatchObject({ code: 'DRAWER_KEY' });
  },
);

test('a drawer of the first version lies open: who asks for a sealed one is refused, and it stays as it is', async () => {
  const folder = scratch();
  const first = scratch();
  await visit(first, async (store) => {
    await store.call('add', { writer: 'old', n: 1 });
    await store.exportTo(join(folder, 'drawer.sqlite'));
  });
  const before = everything(folder);
  const keys = { passphrase, onlySealed: { recoveryKey: false } };
  await expect(open(folder, { keys: () => keys })).rejects.toMatchObject({ code: 'DRAWER_PLAIN' });
  expect(everything(folder)).toEqual(before);
});

test('a client needs no key while an owner runs, and cannot own without one; nothing is lost', async () => {
  const folder = scratch();
  const owner = await open(folder, { keys: () => ({ passphrase }) });
  const client = await open(folder);
  await client.seal({ kind: 'passphrase', passphrase });
  await client.call('add', { writer: 'c', n: 1 });
  expect((await client.health()).sealed).toBe('passphrase');
  await owner.close();
  await expect(client.call('count', undefined)).rejects.toMatchObject({ code: 'DRAWER_KEY' });
  const next = await open(folder, { keys: () => ({ passphrase }) });
  expect(await client.call('count', undefined)).toBe(1);
  expect((await next.health()).role).toBe('owner');
});

test('a sealing that fails on a full disk leaves everything as it was', async () => {
  const folder = scratch();
  await fillUp(folder);
  let full = false;
  const store = await open(folder, {
    fault: (point) => {
      if (full && point === 'snapshot-piece') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
  });
  full = true;
  await expect(store.seal({ kind: 'passphrase', passphrase })).rejects.toThrow('no space');
  await store.call('add', { writer: 'x', n: 3 });
  full = false;
  await store.close();
  expect(await visit(folder, (again) => again.call('count', undefined))).toBe(3);
});

test('killed between the sealed snapshot and the removal of the plain files: the next owner removes them', async () => {
  const folder = scratch();
  await fillUp(folder);
  const store = await open(folder, {
    fault: (point) => {
      if (point === 'checkpoint-before-tidying') throw new Error('killed here');
    },
  });
  const made = store.seal({ kind: 'passphrase', passphrase });
  await expect(made).rejects.toThrow('killed here');
  expect(plainIn(folder)).not.toEqual([]);
  await store.call('add', { writer: 'BADGER-5150', n: 3 });
  expect(bytesOf(folder)).not.toContain('BADGER-5150');
  await store.close();
  await visit(folder, (next) => next.call('count', undefined), { keys: () => ({ passphrase }) });
  expect(plainIn(folder)).toEqual([]);
});

test.each(['snapshot-piece', 'snapshot-synced', 'snapshot-before-rename'])(
  'stopped at %s of its second copy, a sealing holds; the next owner makes the copy and removes the plain files',
  async (point) => {
    const folder = scratch();
    await fillUp(folder);
    let seen = 0;
    const store = await open(folder, {
      fault: (here) => {
        if (here === point && ++seen === 2) throw new Error('stopped here');
      },
    });
    await expect(store.seal({ kind: 'passphrase', passphrase })).rejects.toThrow('stopped here');
    await store.close();
    await visit(folder, (next) => next.call('count', undefined), { keys: () => ({ passphrase }) });
    expect(plainIn(folder)).toEqual([]);
    expect([files(folder, 'sqlite').length, files(folder, 'copy').length]).toEqual([1, 1]);
  },
);

test('a disk without room for the second copy: the sealing is told, nothing plain stays, and the copy is made later', async () => {
  const folder = scratch();
  await fillUp(folder);
  let seen = 0;
  const store = await open(folder, {
    fault: (here) => {
      if (here === 'snapshot-piece' && ++seen === 2) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
  });
  expect((await store.seal({ kind: 'passphrase', passphrase })).recoveryKey).toBeDefined();
  expect((await store.health()).lastError).toMatch(/second copy of the snapshot: no space/);
  expect([plainIn(folder), files(folder, 'copy')]).toEqual([[], []]);
  await store.close();
  await visit(folder, (next) => next.call('count', undefined), { keys: () => ({ passphrase }) });
  expect([files(folder, 'sqlite').length, files(folder, 'copy').length]).toEqual([1, 1]);
});

test('a sealed record changed by somebody who mends the check values does not open', async () => {
  const folder = scratch();
  const keys = () => ({ secret });
  await visit(folder, (store) => store.seal({ kind: 'secretStorage', secret }));
  await visit(folder, (store) => store.call('add', { writer: 'a', n: 1, body }), { keys });
  const [log] = files(folder, 'log');
  const bytes = readFileSync(log!);
  for (const { at, length } of recordsOf(log!).slice(-1))
    for (const copy of [at, at + length]) {
      bytes[copy + 100]! ^= 1;
      bytes.writeUInt32LE(crc32(bytes.subarray(copy + 28, copy + length)), copy + 20);
      bytes.writeUInt32LE(crc32(bytes.subarray(copy, copy + 24)), copy + 24);
    }
  writeFileSync(log!, bytes);
  await visit(folder, async (store) => expect((await store.health()).problem).toMatch(/was changed/), { keys });
});

test('what was purged is in no file after a checkpoint that stands alone', async () => {
  const folder = scratch();
  const store = await open(folder);
  await store.call('add', { writer: title, n: 1, body, text: word });
  await store.checkpoint();
  await store.call('add', { writer: 'stays', n: 2 });
  await store.call('remove', title);
  expect(plainIn(folder)).toContain(title);
  await store.checkpoint({ alone: true });
  expect(bytesOf(folder)).not.toContain('wombat');
});
