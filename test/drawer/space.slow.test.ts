import { expect, test } from 'vitest';
import { random } from './random.ts';
import { rig, type Rig } from './rig.ts';

/** Text that hardly compresses, so that a drawer of a few MB is soon full. */
const noise = (seed: number): string => {
  const { below } = random(seed);
  return Array.from(
    { length: 6_000 },
    () => `${Array.from({ length: 8 }, () => below(2 ** 30).toString(36)).join(' ')}\n`,
  ).join('');
};

const ids = async ({ drawer }: Rig): Promise<string[]> =>
  (await drawer.documents({ limit: 100 })).map(({ id }) => id).toReversed();

test('at the cap the oldest go that nobody wants kept, and each says why', async () => {
  const it = await rig({ policy: { maxSizeMB: 4 } });
  const first = await it.put(noise(1), { keep: true });
  const evicted: string[] = [];
  for (let seed = 2; seed < 14; seed++) {
    evicted.push(...(await it.put(noise(seed), { keep: false })).evicted);
    await it.indexed();
  }
  expect(evicted.length).toBeGreaterThan(3);
  expect(evicted).toEqual(evicted.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
  expect(evicted).not.toContain(first.id);
  expect(await ids(it)).toEqual([
    'd1',
    ...Array.from({ length: 13 - 1 - evicted.length }, (_, i) => `d${evicted.length + 2 + i}`),
  ]);
  expect((await it.store.health()).imageBytes).toBeLessThan(4 * 2 ** 20);
  await expect(it.drawer.get({ session: it.session, ids: ['d2'], units: 10 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(
      /^d2 was evicted on .*, because the drawer was full\. Store it again, with keep: true/,
    ),
  });
});

test('expired sessions go first', async () => {
  const it = await rig({ policy: { maxSizeMB: 4, ttlDays: 10 } });
  const young = await it.put(noise(1), { keep: false });
  it.later(5);
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.put(noise(2), { session: other, keep: true });
  it.later(8);
  const session = await it.drawer.session({ client: 'test', root: '/project' });
  expect(session).toBe(it.session);
  it.later(3);
  await it.indexed();
  for (let seed = 3; (await it.drawer.sessions({})).length > 1; seed++) {
    expect((await it.put(noise(seed), { keep: false })).evicted).toEqual([]);
    await it.indexed();
  }
  expect(await ids(it)).toContain(young.id);
  await expect(it.drawer.get({ session, ids: ['d2'], units: 10 })).rejects.toThrow('was purged with its session');
});

test.each([
  ['refuse', false, 'Nothing is evicted'],
  ['evict', true, 'All that is left is marked keep'],
] as const)('a full drawer refuses where it may not evict: %s, keep %s', async (whenFull, keep, words) => {
  const it = await rig({ policy: { maxSizeMB: 4, whenFull } });
  let full: unknown;
  for (let seed = 1; seed < 14 && full === undefined; seed++) {
    await it.put(noise(seed), { keep }).catch((error: unknown) => (full = error));
    await it.indexed();
  }
  expect(full).toMatchObject({ code: 'DRAWER_FULL', message: expect.stringContaining(words) });
  const before = await ids(it);
  expect(before.length).toBeGreaterThan(2);
  expect(before).toEqual(before.map((_, i) => `d${i + 1}`));
});

test('what could never fit is refused before any work', async () => {
  const calls: string[] = [];
  const it = await rig({
    policy: { maxSizeMB: 4 },
    wrap: (call) =>
      ((name, args, more) => {
        calls.push(name);
        return call(name, args, more);
      }) as typeof call,
  });
  calls.length = 0;
  await expect(it.put('x'.repeat(3_000_000))).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringMatching(/3,000,000 bytes and would take about 4\.3 MB .* raise loom\.drawer\.maxSizeMB/),
  });
  expect(calls.filter((name) => name.startsWith('drawer.st') || name === 'drawer.find')).toEqual([]);
});
