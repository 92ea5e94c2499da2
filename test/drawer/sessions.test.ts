import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { random } from './random.ts';
import { control, rig, scratch, type Rig } from './rig.ts';

const lines = (count: number, seed = count): string => {
  const { below } = random(seed);
  return Array.from({ length: count }, (_, i) => `line ${i} worker ${below(90)} took ${below(50_000)} ms\n`).join('');
};

const ids = async ({ drawer }: Rig, session?: string): Promise<string[]> =>
  (await drawer.documents({ session, limit: 100 })).map(({ id }) => id).toReversed();

const refusal = (it: Rig, id: string): Promise<string> =>
  it.drawer.get({ session: it.session, ids: [id], units: 100 }).then(
    () => 'answered',
    (error: Error) => error.message,
  );

/** Everything that lies in the drawer's folder, and what its blocks hold. */
const onDisk = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite') || name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

const integrity = `insert into chunk_index (chunk_index) values ('integrity-check')`;

test('sessions are listed with what they hold, the one used last first', async () => {
  const it = await rig();
  await it.put('one');
  await it.put('two', { keep: false, budget: 100 });
  it.later(1);
  const other = await it.drawer.session({ client: 'other', root: '/else' });
  expect(await it.drawer.sessions({})).toMatchObject([
    { id: other, client: 'other', root: '/else', documents: 0, bytes: 0, kept: 0, expired: false },
    { id: it.session, client: 'test', root: '/project', documents: 1, bytes: 3, kept: 1, expired: false },
  ]);
});

test('a session that nobody used for its time is listed, readable, and resumed by whoever comes back', async () => {
  const it = await rig({ policy: { ttlDays: 2 } });
  const { id = '' } = await it.put('still here');
  it.later(3);
  expect((await it.drawer.sessions({})).map(({ expired }) => expired)).toEqual([true]);
  const { stretches } = await it.drawer.get({ session: it.session, ids: [id], units: 100 });
  expect(stretches[0]?.text).toBe('still here');
  expect(await it.drawer.session({ client: 'test', root: '/project' })).toBe(it.session);
  expect((await it.drawer.sessions({})).map(({ expired }) => expired)).toEqual([false]);
});

test('what expired is purged when a program starts, and its ids say so', async () => {
  const folder = scratch();
  const it = await rig({ folder, clock: 1_700_000_000_000 });
  await it.put(lines(3000));
  await it.indexed();
  await it.store.close();
  const later = await rig({ folder, clock: 1_700_000_000_000 + 40 * 86_400_000 });
  await later.drawer.session({ client: 'other', root: '/project' });
  expect(later.session).toBe(it.session);
  expect(await ids(later)).toEqual(['d1']);
  await later.store.close();
  const muchLater = await rig({ folder, clock: 1_700_000_000_000 + 80 * 86_400_000, client: 'third' });
  await muchLater.until(async () => (await muchLater.drawer.sessions({})).length === 1);
  expect(await ids(muchLater)).toEqual([]);
  expect(await refusal(muchLater, 'd1')).toMatch(/^d1 was purged with its session, .* on 2024-02-02 \d\d:\d\d UTC/);
});

test('a purge says first what would go, and does nothing', async () => {
  const it = await rig();
  await it.put('one');
  const would = await it.drawer.purge({ session: it.session, own: it.session, confirm: false });
  expect(would).toMatchObject({ done: false, documents: ['d1'], sessions: [{ id: it.session, documents: 1 }] });
  expect(await ids(it)).toEqual(['d1']);
});

// With less left than goes the index is made anew, with more left it is cleaned.
test.each([1_000, 12_000])(
  'a purged session is gone from the drawer, its index and the disk; the others are whole: %i lines',
  async (left) => {
    const it = await rig();
    const other = await it.drawer.session({ client: 'other', root: '/project' });
    const kept = lines(left, 2);
    await it.put(kept);
    await it.put(`${lines(4000)}zanzibar quux\n`, { session: other, title: 'zanzibar notes' });
    await it.put('small zanzibar', { session: other });
    await it.indexed();
    await it.store.checkpoint({ alone: true });
    expect(onDisk(it.folder)).toContain('zanzibar');
    const purged = await it.drawer.purge({ session: other, own: it.session, confirm: true });
    expect(purged).toMatchObject({ done: true, documents: ['d2', 'd3'] });
    expect(onDisk(it.folder)).not.toContain('zanzibar');
    expect(await it.rows('select count(*) as n from chunk where document > 1')).toEqual([{ n: 0 }]);
    expect(await it.rows('select count(*) as n from block where document > 1')).toEqual([{ n: 0 }]);
    expect((await it.drawer.sessions({})).map(({ id }) => id)).toEqual([it.session]);
    await it.indexed();
    await it.change(integrity);
    const found = await it.drawer.search({ session: it.session, query: 'worker 17', units: 1000 });
    expect(found).toMatchObject({ matched: 'all', searched: { documents: 1 } });
    expect(Buffer.from(kept).equals((await it.drawer.readDocument({ id: 'd1' })).bytes)).toBe(true);
    expect(await refusal(it, 'd3')).toMatch(/^d3 was purged on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Store it again/);
    // A person's editor says the same.
    await expect(it.drawer.documentInfo({ id: 'd3' })).rejects.toThrow(/^d3 was purged on /);
    expect(await refusal(it, 'd9')).toMatch(/^d9 was never given out \(the newest id is d3\)/);
  },
);

test('the own session stays, empty, and takes new documents', async () => {
  const it = await rig();
  await it.put('one');
  await it.drawer.purge({ session: it.session, own: it.session, confirm: true });
  expect(await it.drawer.sessions({})).toMatchObject([{ id: it.session, documents: 0 }]);
  expect(await it.put('one')).toMatchObject({ id: 'd2', duplicate: false });
});

test('a store whose session is purged under it says so', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.drawer.purge({ session: other, own: it.session, confirm: true });
  await expect(it.put('late', { session: other })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['drawer.erase', 'drawer.endSessions'])(
  'a purge that breaks off before %s is ended at the next start',
  async (at) => {
    const folder = scratch();
    const it = await rig({
      folder,
      wrap: (call) =>
        ((name, args, more) => {
          if (name === at && armed) throw new Error('the process is gone');
          return call(name, args, more);
        }) as typeof call,
    });
    let armed = false;
    await it.put(`${lines(3000)}zanzibar`);
    await it.indexed();
    armed = true;
    await expect(it.drawer.purge({ session: it.session, own: '', confirm: true })).rejects.toThrow('gone');
    expect(await ids(it)).toEqual([]);
    await it.store.close();
    const again = await rig({ folder });
    await again.until(async () => (await again.rows('select id from document')).length === 0);
    expect((await again.drawer.search({ session: again.session, query: 'zanzibar', units: 100 })).matched).toBe('none');
    await again.change(integrity);
  },
);

test('a transfer copies documents and chunks under new ids, and the others stay', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  const text = lines(2000);
  await it.put(text, { title: 'run.log' });
  const args = { ids: ['d1', 'd1.2'], from: it.session, to: other, move: false };
  const done = await it.drawer.transfer(args, control());
  expect(done).toMatchObject([
    { from: 'd1', to: 'd2', bytes: text.length, duplicate: false },
    { from: 'd1.2', to: 'd3', duplicate: false },
  ]);
  expect(await it.drawer.documents({ session: other, limit: 5 })).toMatchObject([
    { title: 'run.log d1.2' },
    { title: 'run.log', keep: true },
  ]);
  const chunk = await it.drawer.get({ session: it.session, ids: ['d1.2'], units: 9000 });
  const copy = await it.drawer.get({ session: other, ids: ['d3'], units: 9000 });
  expect(copy.stretches[0]?.text).toBe(chunk.stretches[0]?.text);
  expect(await it.drawer.transfer(args, control())).toMatchObject([
    { to: 'd2', duplicate: true },
    { to: 'd3', duplicate: true },
  ]);
});

test('a move leaves a tombstone that names the new id', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.put('moves');
  await it.drawer.transfer({ ids: ['d1'], from: it.session, to: other, move: true }, control());
  expect(await ids(it)).toEqual(['d2']);
  expect(await refusal(it, 'd1')).toMatch(/^d1 was moved on .*: it is d2 now, in another session\.$/);
});

test.each([
  [{ ids: ['d1.1'], move: true }, 'INVALID_ARGUMENTS'],
  [{ to: 'own' }, 'INVALID_ARGUMENTS'],
  [{ to: 'nowhere' }, 'NOT_FOUND'],
  [{ from: 'nowhere' }, 'NOT_FOUND'],
  [{ ids: ['d8'] }, 'NOT_FOUND'],
])('a transfer of %j is refused with %s', async (wrong, code) => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.put('stays');
  const args = { ids: ['d1'], from: it.session, to: other, move: false, ...wrong };
  if (args.to === 'own') args.to = it.session;
  await expect(it.drawer.transfer(args, control())).rejects.toMatchObject({ code });
  expect(await ids(it)).toEqual(['d1']);
});

test('an id of another session is refused with the transfer that brings it over', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.put('theirs', { session: other });
  const words = await refusal(it, 'd1');
  const call = JSON.parse(words.slice(words.indexOf('{'), words.lastIndexOf('}') + 1)) as { from_session: string };
  expect(call).toEqual({ ids: ['d1'], from_session: other });
});

test('the index is rebuilt from the content, and searches work meanwhile', async () => {
  const it = await rig();
  await it.put(`${lines(8000)}zanzibar\n`);
  await it.put(lines(100));
  await it.indexed();
  const building = it.drawer.rebuildIndex({}, control());
  const found = await it.drawer.search({ session: it.session, query: 'zanzibar', units: 500 });
  expect(found.matched).toBe('all');
  expect(await building).toMatchObject({ documents: 2 });
  await it.change(integrity);
  expect(await it.rows('select count(*) as n from document where indexed < chunks')).toEqual([{ n: 0 }]);
});

test('compacting gives space back and changes no byte', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  const text = lines(3000);
  await it.put(text);
  await it.put(lines(40_000, 7), { session: other });
  await it.indexed();
  await it.drawer.purge({ session: other, own: it.session, confirm: true });
  const { before, after } = await it.drawer.vacuum({});
  expect(after).toBeLessThan(before / 2);
  // The purge has made the index anew: what stays comes into it afterwards.
  await it.indexed();
  await it.change(integrity);
  expect(Buffer.from(text).equals((await it.drawer.readDocument({ id: 'd1' })).bytes)).toBe(true);
  await it.put('and goes on');
  await it.store.close();
  const again = await rig({ folder: it.folder });
  expect(await ids(again)).toEqual(['d1', 'd3']);
});

test('a profile is kept with the session and sets the size of its anchors', async () => {
  const it = await rig();
  const anchorTokens = async (seed: number): Promise<number> =>
    (await it.put(lines(6000, seed), { keep: false })).anchorTokens;
  const strict = await anchorTokens(1);
  expect(await it.drawer.profile({ session: it.session, profile: 'aggressive' })).toBe('aggressive');
  expect(await it.drawer.profile({ session: it.session })).toBe('aggressive');
  const aggressive = await anchorTokens(2);
  expect(aggressive).toBeLessThanOrEqual(200);
  expect(strict).toBeGreaterThan(200);
  expect((await it.put(lines(6000, 3), { profile: 'balanced' })).anchorTokens).toBeGreaterThan(aggressive);
});
