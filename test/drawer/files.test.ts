import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StoreFilesArgs } from '#drawer/types.ts';
import { control, rig, scratch } from './rig.ts';

/** Paths that are written to while they are read, and how many times more. */
const restless = vi.hoisted(() => new Map<string, number>());

/** What happens to a path between the look at it and its opening. */
const exchanges = vi.hoisted(() => new Map<string, () => void>());
/** Whether the system tells the path of an open file. */
const told = vi.hoisted(() => ({ paths: true }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    readlink: (path: string) => (told.paths ? real.readlink(path) : Promise.reject(new Error('no /proc'))),
    open: async (path: string, flags: number) => {
      exchanges.get(path)?.();
      const file = await real.open(path, flags);
      const left = restless.get(path) ?? 0;
      restless.set(path, left - 1);
      if (left > 0) {
        const read = file.read.bind(file) as (...args: unknown[]) => Promise<unknown>;
        file.read = (async (...args: unknown[]) => {
          const found = await read(...args);
          appendFileSync(path, 'more\n');
          return found;
        }) as typeof file.read;
      }
      return file;
    },
  };
});

/** A workspace with `files`, and the drawer that may read it. */
const workspace = async (files: Record<string, string>) => {
  const root = scratch();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const it = await rig();
  const store = (paths: readonly string[], more: Partial<StoreFilesArgs> = {}) =>
    it.drawer.storeFiles({ session: it.session, roots: [root], paths, keep: true, ...more }, control());
  return { ...it, root, store };
};

const titles = ({ stored }: { stored: { title: string }[] }): string[] => stored.map(({ title }) => title);

test('files by path, relative and absolute, each once', async () => {
  const { root, store, drawer } = await workspace({ 'a.log': 'a', 'sub/b.log': 'b' });
  const found = await store(['a.log', join(root, 'sub/b.log'), './a.log']);
  expect(titles(found)).toEqual(['a.log', 'sub/b.log']);
  expect(found.refused).toEqual([]);
  const [first] = await drawer.documents({ limit: 1 });
  expect(first?.source).toEqual({ kind: 'file', path: join(root, 'sub/b.log') });
});

test('one file may be given a title', async () => {
  const { store } = await workspace({ 'a.log': 'a' });
  expect(titles(await store(['a.log'], { title: 'the run' }))).toEqual(['the run']);
});

test.each([
  [['**/*.log'], ['a.log', 'sub/b.log', 'sub/deep/c.log']],
  [['sub/*'], ['sub/b.log', 'sub/x.txt']],
  [['*.{log,txt}'], ['a.log', 'odd[1].txt']],
  [['node_modules/**/*.log'], ['node_modules/p/n.log']],
  [['odd[1].txt'], ['odd[1].txt']],
])('%j names %j', async (paths, expected) => {
  const { store } = await workspace({
    'a.log': 'a',
    'sub/b.log': 'b',
    'sub/x.txt': 'x',
    'sub/deep/c.log': 'c',
    'node_modules/p/n.log': 'n',
    '.git/g.log': 'g',
    'odd[1].txt': 'odd',
  });
  expect(titles(await store(paths))).toEqual(expected);
});

test('what lies outside is refused, also through a link or a way up', async () => {
  const { root, store } = await workspace({ 'in/a.log': 'a' });
  writeFileSync(join(root, 'secret.log'), 'secret');
  symlinkSync(join(root, 'secret.log'), join(root, 'in/link.log'));
  symlinkSync(root, join(root, 'in/up'));
  const roots = [join(root, 'in')];
  const outside = ['link.log', '../secret.log', 'up/secret.log'];
  const { stored, refused } = await store(['a.log', ...outside], { roots });
  expect(titles({ stored })).toEqual(['a.log']);
  expect(refused.map(({ reason }) => reason.includes('outside the folders'))).toEqual([true, true, true]);
  const unread = [...outside, '../gone.log', '../*.log', '/**/*.log', '*/../../*.log', 'up/*.log'];
  for (const path of unread) await expect(store([path], { roots })).rejects.toMatchObject({ code: 'FILE_REFUSED' });
});

test('a link inside is followed, and the file stored under its own name', async () => {
  const { root, store } = await workspace({ 'a.log': 'a' });
  symlinkSync(join(root, 'a.log'), join(root, 'link.log'));
  expect(titles(await store(['link.log']))).toEqual(['a.log']);
});

test('folders and missing files are named with the reason, and the rest is stored', async () => {
  const { store } = await workspace({ 'a.log': 'a', 'sub/b.log': 'b' });
  const { stored, refused } = await store(['a.log', 'sub', 'gone.log', '*.none']);
  expect(titles({ stored })).toEqual(['a.log']);
  expect(refused.map(({ reason }) => reason)).toEqual([
    'No file matches *.none.',
    expect.stringContaining('is a folder: name its files'),
    expect.stringContaining('There is no file'),
  ]);
});

test('nothing to store is an error that names all reasons', async () => {
  const { store } = await workspace({ 'sub/b.log': 'b' });
  await expect(store(['gone.log'])).rejects.toMatchObject({ code: 'FILE_UNREADABLE', message: /gone\.log/ });
  await expect(store(['gone.log', 'sub'])).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
    message: /gone\.log.*folder/s,
  });
  await expect(store(['*.none'])).rejects.toMatchObject({ code: 'FILE_UNREADABLE', message: /No file matches/ });
});

test('more than a hundred files are too many, and the answer says how many they are', async () => {
  const files = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}.txt`, `${i}`]));
  const { store, drawer } = await workspace(files);
  await expect(store(['*.txt'])).rejects.toMatchObject({ code: 'TOO_LARGE', message: /101 files match/ });
  expect(await drawer.documents({ limit: 1 })).toEqual([]);
});

test('a file that changes while it is read is read again; one that keeps changing is refused', async () => {
  const { root, store, drawer } = await workspace({ 'a.log': 'a\n', 'b.log': 'b\n' });
  restless.set(join(root, 'a.log'), 1);
  restless.set(join(root, 'b.log'), 99);
  const { stored, refused } = await store(['a.log', 'b.log']);
  expect(titles({ stored })).toEqual(['a.log']);
  const { bytes } = await drawer.readDocument({ id: stored[0]?.id ?? '' });
  expect(Buffer.from(bytes)).toEqual(readFileSync(join(root, 'a.log')));
  expect(refused.map(({ reason }) => reason)).toEqual([expect.stringContaining('kept changing')]);
  await expect(store(['b.log'])).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

const swapped = (path: string, make: () => void): (() => void) => {
  let done = false;
  return () => {
    if (!done) rmSync(path, { recursive: true });
    if (!done) make();
    done = true;
  };
};

test.each([true, false])(
  'what takes the place of a file as it is opened is not read (paths told: %s)',
  async (paths) => {
    told.paths = paths;
    onTestFinished(() => {
      told.paths = true;
    });
    const elsewhere = scratch();
    writeFileSync(join(elsewhere, 'a.log'), 'outside\n');
    const files = { 'pipe.log': 'a', 'link.log': 'a', 'sub/a.log': 'a', 'kept.log': 'inside\n' };
    const { root, store } = await workspace(files);
    const at = (name: string): string => join(root, name);
    exchanges.set(
      at('pipe.log'),
      swapped(at('pipe.log'), () => execFileSync('mkfifo', [at('pipe.log')])),
    );
    exchanges.set(
      at('link.log'),
      swapped(at('link.log'), () => symlinkSync(join(elsewhere, 'a.log'), at('link.log'))),
    );
    exchanges.set(
      at('sub/a.log'),
      swapped(at('sub'), () => symlinkSync(elsewhere, at('sub'))),
    );
    const { stored, refused } = await store(Object.keys(files));
    expect(titles({ stored })).toEqual(['kept.log']);
    expect(refused.map(({ path }) => path)).toEqual(['pipe.log', 'link.log', 'sub/a.log'].map(at));
  },
);
