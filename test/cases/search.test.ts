import { afterAll, beforeAll, expect, test } from 'vitest';
import { rig, type Rig } from '../drawer/rig.ts';

const signs = [
  'Order REL-100821 was shipped',
  'see logs/2026 for more',
  "don't stop here",
  'listening on 10.0.0.5:5432',
  'written in C++ mostly',
  'const base = health.base;',
  'image ubuntu 20.04',
].join('\n\n\n\n\n\n\n');

const plain = 'plain text here';
const scripts = [
  '数据库连接失败',
  'リンゴを食べます',
  '데이터베이스에 연결',
  '错误code42在这里',
  'Ошибка соединения',
  'crème brûlée',
];

/** Index and reading must agree: each row asks an indexed drawer, and one that has no index yet. */
const drawers: Rig[] = [];
const ends: (() => unknown)[] = [];
const sessions: string[] = [];

beforeAll(async () => {
  for (const unindexed of [false, true]) {
    const it = await rig({ unindexed, atEnd: (clean) => ends.unshift(clean) });
    await it.put(signs);
    for (const text of scripts) await it.put(text);
    const session = await it.drawer.session({ client: 'plain', root: '/project' });
    await it.put(plain, { session });
    await it.indexed();
    drawers.push(it);
    sessions.push(session);
  }
});
afterAll(async () => {
  for (const end of ends) await end();
});

test.each([
  ['REL-100821', 'Order REL-100821'],
  ['logs/2026', 'see logs/2026'],
  ["don't stop", "don't stop"],
  ['10.0.0.5:5432', '10.0.0.5:5432'],
  ['C++', 'written in C++'],
  ['health.base', 'health.base'],
  ['ubuntu 20.04', 'ubuntu 20.04'],
  ['"unclosed ubuntu', 'ubuntu 20.04'],
  ['NOT shipped', 'was shipped'],
  ['shipped OR nothing', 'was shipped'],
  ['listening AND on', 'listening on'],
  ['NEAR/2 mostly', 'mostly'],
  ['text:mostly mostly', 'mostly'],
  ['-mostly', 'mostly'],
  ['most*', 'mostly'],
])('signs and operators are data: %s', async (query, expected) => {
  for (const it of drawers) {
    const { passages } = await it.drawer.search({ session: it.session, query, units: 4000 });
    expect(passages[0]?.text).toContain(expected);
  }
});

test.each([
  '',
  ' ',
  '*',
  '"',
  '(',
  ')',
  'AND',
  'OR',
  'NEAR/2',
  '"unclosed',
  '^',
  'a*b',
  '\0',
  '-',
  '{}',
  ':',
  'x'.repeat(9000),
])('never an exception, and nothing where there is nothing: %j', async (query) => {
  for (const [index, it] of drawers.entries()) {
    const found = await it.drawer.search({ session: sessions[index] ?? '', query, units: 4000 });
    expect(found).toMatchObject({ passages: [], matched: 'none', more: 0, searched: { documents: 1, chunks: 1 } });
  }
});

test('a single letter beside signs is no word', async () => {
  const it = await rig();
  await it.put('vitamin c and grade c');
  await it.put('C++ and c');
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'C++', units: 4000 });
  expect(passages.map(({ text }) => text)).toEqual(['C++ and c']);
});

test('a sign alone is found where it stands', async () => {
  const it = await rig();
  await it.put('a => b\n\n\n\n\n\n\n\nc(d)');
  for (const [query, text] of [
    ['=>', 'a => b'],
    ['(', 'c(d)'],
  ] as const) {
    const { passages, matched } = await it.drawer.search({ session: it.session, query, units: 4000 });
    expect({ matched, hits: passages.map((passage) => passage.text) }).toEqual({
      matched: 'substring',
      hits: [expect.stringContaining(text)],
    });
  }
});

test('another session is not searched, and the answer tells how much lies there', async () => {
  const it = await rig();
  await it.put('the needle');
  await it.indexed();
  const session = await it.drawer.session({ client: 'other', root: '/elsewhere' });
  const found = await it.drawer.search({ session, query: 'needle', units: 4000 });
  expect(found).toMatchObject({
    passages: [],
    matched: 'none',
    searched: { documents: 0, chunks: 0 },
    otherSessions: 1,
  });
  const all = await it.drawer.searchAll({ query: 'needle', units: 4000 });
  expect(all.passages).toHaveLength(1);
});

test.each([
  ['数据库连接失败', '数据'],
  ['数据库连接失败', '库'],
  ['数据库连接失败', '败'],
  ['数据库连接失败', '数据库连接失败'],
  ['リンゴを食べます', 'を食べ'],
  ['リンゴを食べます', 'す'],
  ['데이터베이스에 연결', '데이터베이스'],
  ['错误code42在这里', '在'],
  ['错误code42在这里', 'code42'],
  ['错误code42在这里', '错误code42'],
  ['Ошибка соединения', 'ошибка'],
  ['crème brûlée', 'creme brulee'],
])('%s is found by %s', async (text, query) => {
  for (const it of drawers) {
    const { passages } = await it.drawer.search({ session: it.session, query, units: 4000 });
    expect(passages.map((passage) => passage.text)).toEqual([text]);
  }
});

test.each(['数据库连接失败了', '失数', 'を飲み'])('%s stands nowhere', async (query) => {
  for (const it of drawers) {
    expect((await it.drawer.search({ session: it.session, query, units: 4000 })).matched).toBe('none');
  }
});

test('unrelated queries differ, nonsense finds nothing, and every hit has text and lines', async () => {
  const it = await rig();
  const lines = Array.from({ length: 400 }, (_, i) =>
    i === 90 ? 'apples ripen' : i === 300 ? 'bridges rust' : `row ${i}`,
  );
  await it.put(lines.join('\n'));
  await it.indexed();
  const ask = (query: string) => it.drawer.search({ session: it.session, query, units: 4000 });
  const [apples, bridges, nonsense] = await Promise.all([ask('apple'), ask('bridge'), ask('qwzxv plorf')]);
  expect(apples.passages.map(({ hits }) => hits)).toEqual([[91]]);
  expect(bridges.passages.map(({ hits }) => hits)).toEqual([[301]]);
  expect(nonsense).toMatchObject({ passages: [], matched: 'none' });
  for (const {
    text,
    lines: [first, last],
  } of [...apples.passages, ...bridges.passages]) {
    expect(text).toBe(lines.slice(first - 1, last).join('\n'));
  }
});
