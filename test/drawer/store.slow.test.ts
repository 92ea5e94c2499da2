import { expect, test } from 'vitest';
import type { Call } from '#base/operation.ts';
import type { DrawerOperations } from '#drawer/operations.ts';
import { random, randomBytes } from './random.ts';
import { rig, scratch, type Rig } from './rig.ts';

const report = (lines: number): string => {
  const { below } = random(lines);
  return Array.from({ length: lines }, (_, i) => `line ${i} took ${below(500)} ms in worker ${below(9)}\n`).join('');
};

const documents = async ({ drawer }: Rig): Promise<string[]> =>
  (await drawer.documents({ limit: 100 })).map(({ id }) => id);

/** Lets calls through until `stop` says so, then breaks off: as if the process had died. */
const breaking =
  (stop: (name: string, count: number) => boolean) =>
  (call: Call<DrawerOperations>): Call<DrawerOperations> => {
    let count = 0;
    return ((name, args, more) => {
      if (stop(name, ++count)) throw new Error('the process is gone');
      return call(name, args, more);
    }) as Call<DrawerOperations>;
  };

/** Several pieces: over 3 MB that do not compress away. */
const large = Buffer.from(report(220_000));

test('an anchor instead of the content, with its figures', async () => {
  const it = await rig({ unindexed: true });
  const stored = await it.put(report(2000), { title: 'run.log', keep: false });
  const text = report(2000);
  expect(stored).toMatchObject({ id: 'd1', inline: false, duplicate: false, bytes: text.length, lines: 2000 });
  expect(stored.tokens).toBe(Math.ceil(text.length / 4));
  expect(stored.anchorTokens).toBe(Math.ceil(stored.text.length / 4));
  expect(stored.anchorTokens).toBeLessThanOrEqual(900);
  expect(await it.drawer.documents({ limit: 5 })).toMatchObject([
    { id: 'd1', title: 'run.log', session: it.session, tokens: stored.tokens, sha256: stored.sha256 },
  ]);
});

test('the same bytes again: the same ids, the same anchor, and nothing is written', async () => {
  const writes: string[] = [];
  const it = await rig({
    wrap: (call) =>
      ((name, args, more) => {
        writes.push(name);
        return call(name, args, more);
      }) as Call<DrawerOperations>,
  });
  const first = await it.put(report(2000), { title: 'a' });
  writes.length = 0;
  const again = await it.put(report(2000), { title: 'b' });
  expect(again).toEqual({ ...first, duplicate: true, coverage: undefined });
  expect(writes).toEqual(['drawer.find']);
  const small = await it.put('tiny');
  expect(await it.put('tiny')).toEqual({ ...small, duplicate: true });
  expect(await documents(it)).toEqual(['d2', 'd1']);
});

test('the same bytes under another budget: the old id, another anchor', async () => {
  const it = await rig({ unindexed: true });
  const first = await it.put(report(3000));
  const narrow = await it.put(report(3000), { budget: 300 });
  expect(narrow).toMatchObject({ id: 'd1', duplicate: true });
  expect(narrow.anchorTokens).toBeLessThanOrEqual(300);
  expect(await it.put(report(3000))).toEqual({ ...first, duplicate: true, coverage: undefined });
});

test('the same bytes in another session are another document', async () => {
  const it = await rig({ unindexed: true });
  await it.put('shared');
  const session = await it.drawer.session({ client: 'other', root: '/project' });
  expect(await it.put('shared', { session })).toMatchObject({ id: 'd2', duplicate: false });
});

test('the same bytes stored twice at once are one document', async () => {
  const it = await rig({ unindexed: true });
  const both = await Promise.all([it.put(large), it.put(large)]);
  expect(both.map(({ id }) => id)).toEqual([both[0].id, both[0].id]);
  expect(both.filter(({ duplicate }) => duplicate)).toHaveLength(1);
  expect(await documents(it)).toHaveLength(1);
});

test('the same input gives the same anchor in another drawer', async () => {
  const [one, two] = [await rig({ unindexed: true }), await rig({ unindexed: true })];
  for (const seed of [1, 2, 3]) {
    const bytes = randomBytes(seed, 100_000, seed === 3);
    expect(await two.put(bytes)).toEqual(await one.put(bytes));
  }
});

test.each([1, 2])('an interrupted store leaves nothing visible, and is swept: broken at piece %i', async (piece) => {
  const folder = scratch();
  let stages = 0;
  const it = await rig({
    folder,
    unindexed: true,
    wrap: breaking((name) => (name === 'drawer.stage' && ++stages > piece) || name === 'drawer.insert'),
  });
  await expect(it.put(large)).rejects.toThrow('the process is gone');
  expect(await documents(it)).toEqual([]);
  expect((await it.drawer.search({ session: it.session, query: 'worker', units: 500 })).matched).toBe('none');
  await expect(it.drawer.get({ session: it.session, ids: ['d1'], units: 500 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await it.store.close();
  const later = await rig({ folder, unindexed: true, clock: 1_700_100_000_000 });
  const kept = await later.put('something new');
  const again = await later.put(large);
  expect(again.duplicate).toBe(false);
  expect(await documents(later)).toEqual([again.id, kept.id]);
  for (let i = 0; i < 4; i++) await later.put(`more ${i}`);
  const left = await later.store.call('drawer.scope', { whole: true });
  expect(left).toMatchObject({ documents: 6 });
  expect(await later.rows('select count(*) as n from document where complete = 0')).toEqual([{ n: 0 }]);
  expect(await later.rows('select count(*) as n from block where document = 1')).toEqual([{ n: 0 }]);
  expect(Buffer.from(large).equals((await later.drawer.readDocument({ id: again.id ?? '' })).bytes)).toBe(true);
});

test('a store that is cancelled keeps nothing', async () => {
  const it = await rig({ unindexed: true });
  const abort = new AbortController();
  const args = { session: it.session, bytes: large, source: { kind: 'text' } as const };
  const running = it.drawer.store(args, { signal: abort.signal, progress: () => abort.abort() });
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await documents(it)).toEqual([]);
});

test('keep is remembered, also of what was stored before without it', async () => {
  const it = await rig({ unindexed: true });
  await it.put(report(2000), { keep: false });
  await it.put(report(2000), { keep: true });
  expect(await it.rows('select keep from document')).toEqual([{ keep: 1 }]);
});

test('a session is resumed by client and root', async () => {
  const it = await rig({ unindexed: true });
  const same = await it.drawer.session({ client: 'test', root: '/project' });
  const other = await it.drawer.session({ client: 'test', root: '/other' });
  expect(same).toBe(it.session);
  expect(other).not.toBe(it.session);
  expect(it.session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the bill travels with the document, untouched, and sees what was stored', async () => {
  const seen: unknown[] = [];
  const it = await rig({
    bill: function* ({ text, source, tokens, account }) {
      yield;
      return { units: text.length, source: source.kind, tokens, account };
    },
    wrap: (call) =>
      ((name, args, more) => {
        if (name === 'drawer.insert') seen.push((args as { entry?: unknown }).entry);
        return call(name, args, more);
      }) as Call<DrawerOperations>,
  });
  const account = { client: 'test', conversation: 'c1' };
  await it.put(report(2000), { source: { kind: 'file', path: '/project/x.log' }, account });
  const { length } = report(2000);
  expect(seen).toEqual([{ units: length, source: 'file', tokens: Math.ceil(length / 4), account }]);
});

test('titles: given, from the path, or from the first line', async () => {
  const it = await rig({ unindexed: true });
  const title = async (content: string, more: Parameters<Rig['put']>[1]) => (await it.put(content, more)).title;
  expect(await title('a', { title: ' Given\nname\0 ' })).toBe('Given name');
  expect(await title('b', { source: { kind: 'file', path: '/project/src/b.log' } })).toBe('b.log');
  expect(await title('\n\n  first words\nmore', {})).toBe('first words');
  expect(await title('', {})).toBe('untitled');
  expect(await title('c', { title: `broken ${'\ud800'}` })).toBe('broken \ufffd');
});
