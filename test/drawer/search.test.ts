import { expect, test } from 'vitest';
import type { Found, Passage } from '#drawer/types.ts';
import { searchTerms } from '#text/terms.ts';
import { random } from './random.ts';
import { rig, type Rig } from './rig.ts';

const vocabulary =
  'request served cache worker pool timeout handler parseHttpRequest maxRetryCount connections failed'.split(' ');

const logText = (lines: number, seed: number): string => {
  const { below, pick } = random(seed);
  return Array.from(
    { length: lines },
    (_, i) => `${i} ${pick(vocabulary)} ${pick(vocabulary)} id=${below(1e6)}\n`,
  ).join('');
};

/** All pages; each is checked for its size. */
const allPassages = async (
  { drawer, session }: Rig,
  query: string,
  units: number,
  limit: number,
): Promise<Passage[]> => {
  const passages: Passage[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 1000; pages++) {
    const found: Found = await drawer.search({ session, query, units, limit, cursor });
    expect(found.passages.length).toBeLessThanOrEqual(limit);
    expect(found.passages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(units);
    passages.push(...found.passages);
    expect(found.more > 0).toBe(found.cursor !== undefined);
    cursor = found.cursor;
    if (cursor === undefined) break;
  }
  return passages;
};

test.each([
  ['connection', 'connections failed'],
  ['fail', 'connections failed'],
  ['http request', 'function parseHttpRequest()'],
  ['HttpRequest', 'function parseHttpRequest()'],
  ['parsehttprequest', 'function parseHttpRequest()'],
  ['max retry count', 'const maxRetryCount = 3'],
  ['maxRetryCount', 'max_retry_count = 3'],
  ['max_retry_count', 'const maxRetryCount = 3'],
  ['retrying', 'will retry'],
  ['nection', 'connections failed'],
  ['src/drawer', 'at src/drawer/get.ts:12'],
  ['v1.2.3', 'release v1.2.3 is out'],
])('%s finds %s', async (query, text) => {
  for (const unindexed of [true, false]) {
    const it = await rig({ unindexed });
    await it.put(text);
    await it.put('nothing of the kind');
    await it.indexed();
    const { passages } = await it.drawer.search({ session: it.session, query, units: 1000 });
    expect(passages.map((passage) => passage.text)).toEqual([text]);
  }
});

test('what the second column holds', () => {
  expect(searchTerms('parseHTTPRequest connections 数据库abc connections').split('\n')).toEqual([
    'parse http request',
    'connect',
    '数据 据库 库',
    'abc',
  ]);
});

test('all words before any word, and both before a part of a word', async () => {
  const it = await rig();
  await it.put('alpha beta', { title: 'both' });
  await it.put('alpha only', { title: 'one' });
  await it.indexed();
  const titles = async (query: string) => {
    const { matched, passages } = await it.drawer.search({ session: it.session, query, units: 1000 });
    return [matched, ...passages.map(({ title }) => title)];
  };
  expect(await titles('alpha beta')).toEqual(['all', 'both']);
  expect(await titles('beta gamma')).toEqual(['any', 'both']);
  expect(await titles('alph')).toEqual(['substring', 'both', 'one']);
  expect(await titles('gamma')).toEqual(['none']);
});

test('a rare word weighs more than a frequent one', async () => {
  const it = await rig();
  for (let i = 0; i < 20; i++) await it.put(`common words number ${i} ${'common '.repeat(i % 3)}`);
  await it.put('rare words', { title: 'rare' });
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'common rare', units: 9000 });
  expect(passages[0]?.title).toBe('rare');
});

test('the word as it was written comes before other forms of it, and before words that it is a part of', async () => {
  const it = await rig();
  const lines = Array.from({ length: 400 }, (_, n) => (n % 2 ? `the hints of page ${n}` : `show InlayHint(${n}) hint`));
  await it.put(lines.toSpliced(250, 0, '', '', 'Hint = 3', '', '').join('\n'));
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'Hint', limit: 1, units: 1000 });
  expect(passages[0]?.hits).toContain(253);
});

test('pages go on where the one before ended, and give each passage once', async () => {
  const it = await rig();
  await it.put(logText(1200, 1));
  await it.indexed();
  const once = await allPassages(it, 'timeout pool', 3000, 7);
  const again = await allPassages(it, 'timeout pool', 3000, 7);
  expect(once.length).toBeGreaterThan(20);
  expect(again).toEqual(once);
  expect(new Set(once.map(({ lines }) => lines.join('-'))).size).toBe(once.length);
});

test('passages hold exactly the lines that they name, and their hits', async () => {
  const it = await rig();
  const text = logText(2000, 2);
  await it.put(text);
  await it.indexed();
  const lines = text.split('\n');
  for (const passage of await allPassages(it, 'parseHttpRequest cache', 7900, 50)) {
    const [first, last] = passage.lines;
    expect(passage.text).toBe(lines.slice(first - 1, last).join('\n'));
    for (const hit of passage.hits) {
      expect(hit).toBeGreaterThanOrEqual(first);
      expect(hit).toBeLessThanOrEqual(last);
      expect(lines[hit - 1]).toMatch(/parseHttpRequest|cache/);
    }
  }
});

test('hits beside each other in two chunks are one passage', async () => {
  const it = await rig();
  const rows = Array.from({ length: 60 }, (_, i) => `row ${i} ${'filler '.repeat(12)}`);
  await it.put(rows.map((row, i) => (i >= 18 && i <= 24 ? `needle ${row}` : row)).join('\n'));
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'needle', units: 4000 });
  expect(passages).toHaveLength(1);
  expect(passages[0]?.chunks).toEqual(['d1.1', 'd1.2']);
  expect(passages[0]?.hits).toEqual([19, 20, 21, 22, 23, 24, 25]);
});

test('only one document where it is named', async () => {
  const it = await rig();
  await it.put('needle here');
  await it.put('needle there');
  await it.indexed();
  const found = await it.drawer.search({ session: it.session, query: 'needle', doc: 'D2', units: 1000 });
  expect(found).toMatchObject({ passages: [{ doc: 'd2', chunks: ['d2.1'] }], searched: { documents: 1, chunks: 1 } });
});

test('what is stored is found at once, indexed in part or not at all', async () => {
  const it = await rig({ unindexed: true });
  const text = logText(4000, 3).replace(/\n3900 .*\n/, '\n3900 needle\n');
  await it.put(text);
  const ask = () => it.drawer.search({ session: it.session, query: 'needle', units: 1000 });
  const unread = await ask();
  expect(unread.passages[0]?.hits).toEqual([3901]);
  // The job by hand: after any number of its stretches the answer must be the same.
  const job = it.store.call('drawer.index', undefined);
  const during = await Promise.all([ask(), ask(), ask()]);
  await job;
  for (const found of [...during, await ask()])
    expect(found.passages.map(({ text: shown }) => shown)).toEqual([unread.passages[0]?.text]);
});

test('what is not indexed yet is not crowded out by what is', async () => {
  const it = await rig({ unindexed: true });
  // Some 100 chunks of more than 1,000 have one of the words: it is rare, and weighs much in the index.
  const quiet = Array.from(
    { length: 6_000 },
    (_, n) => `${n} ${n % 60 === 0 ? 'a request' : 'nothing'} ${'of it '.repeat(50)}`,
  );
  await it.put(quiet.join('\n'));
  await it.store.call('drawer.index', undefined);
  const { id } = await it.put('the needle of a request');
  const query = 'needle request zanzibar';
  const found = await it.drawer.search({ session: it.session, query, limit: 1, units: 1000 });
  expect(found).toMatchObject({ matched: 'any', passages: [{ doc: id }] });
  expect(found.more).toBeGreaterThan(64);
});

test('index and reading find the same chunks', async () => {
  const indexed = await rig();
  const unindexed = await rig({ unindexed: true });
  const text = logText(600, 4);
  for (const it of [indexed, unindexed]) {
    await it.put(text);
    await it.indexed();
  }
  for (const query of ['timeout pool', 'retry', 'http', 'connection fail', 'handlers', 'id=12', 'cache zzz']) {
    const lines = await Promise.all(
      [indexed, unindexed].map(async (it) =>
        (await allPassages(it, query, 7900, 50)).flatMap(({ hits }) => hits).sort((a, b) => a - b),
      ),
    );
    expect(lines[1]).toEqual(lines[0]);
  }
});

test('words that stand in one line come before the same words scattered over a chunk', async () => {
  const it = await rig();
  const rows = Array.from(
    { length: 400 },
    (_, i) => `row ${i} of the ${['pump', 'valve', 'roof', 'lamp'][i % 4]} was quiet`,
  );
  rows[310] = 'the pump flooded the valve under the roof';
  rows[311] = 'and then it rained';
  // Each chunk holds all the words, most of them more often than the one line does.
  for (let at = 380; at > 0; at -= 6) if (at < 300 || at > 320) rows.splice(at, 0, 'it flooded, it flooded');
  await it.put(rows.join('\n'), { title: 'rows' });
  await it.indexed();
  for (const query of ['roofs valves flooding pumps', 'What flooded the valve of the pump under the roof?']) {
    const { passages } = await it.drawer.search({ session: it.session, query, units: 2000, limit: 1 });
    expect(passages[0]?.text).toContain('the pump flooded the valve under the roof');
    expect(passages[0]?.text.length).toBeLessThan(500);
  }
});

test('words of grammar alone find nothing beside words that are nowhere', async () => {
  const it = await rig();
  await it.put('the order of the day is the one that was there');
  await it.indexed();
  const ask = async (query: string) => (await it.drawer.search({ session: it.session, query, units: 900 })).matched;
  expect(await ask('what is the qwzxv of the blorf')).toBe('none');
  expect(await ask('the')).toBe('all');
});
