import { expect, test } from 'vitest';
import type { Found } from '#drawer/types.ts';
import { rig, type Rig } from './rig.ts';

const find = (it: Rig, query: string, more: object = {}): Promise<Found> =>
  it.drawer.search({ session: it.session, query, regex: true, units: 6_000, ...more });

const log = Array.from({ length: 9_000 }, (_, i) =>
  i % 1_000 === 500 ? `${i} ERROR code=${i} timeout` : `${i} INFO served in ${i % 90} ms`,
);

test('every line that matches, in order, with its neighbours and their numbers', async () => {
  const it = await rig();
  await it.put(log.join('\n'));
  const found = await find(it, String.raw`ERROR code=\d+ timeout$`, { limit: 4 });
  expect(found).toMatchObject({ matched: 'regex', more: 5, searched: { documents: 1 } });
  expect(found.passages.map(({ hits }) => hits)).toEqual([[501], [1501], [2501], [3501]]);
  for (const { lines, text } of found.passages) expect(text).toBe(log.slice(lines[0] - 1, lines[1]).join('\n'));
  const rest = await find(it, String.raw`ERROR code=\d+ timeout$`, { limit: 9, cursor: found.cursor });
  expect(rest.passages.flatMap(({ hits }) => hits)).toEqual([4501, 5501, 6501, 7501, 8501]);
  expect(rest).toMatchObject({ more: 0, cursor: undefined });
});

test.each([
  ['the ends of a line', '^needle$', 'a\nneedle\nneedles\n', [2]],
  ['the ends of a line with CR LF', '^needle$', 'a\r\nneedle\r\nneedles\r\n', [2]],
  ['the ends of a line by \\A and \\z', '\\Aneedle\\z', 'a\nneedle\nneedles\n', [2]],
  ['upper and lower case count', 'ERROR', 'error\nERROR\n', [2]],
  ['unless it says otherwise', '(?i)ERROR', 'error\nERROR\n', [1, 2]],
  ['as it is written in code', '/error/i', 'error\nERROR\n', [1, 2]],
  ['no line end is ever within', 'a\\sb', 'a\nb\na b\n', [3]],
  ['several scripts', '数据.失败', '数据库失败\n数据 失败了\n', [1, 2]],
  ['behind a NUL', 'wor.ld', 'hello wor\0ld\n', [1]],
  ['the last line has no end', 'last$', 'first\nlast', [2]],
])('%s', async (_, query, text, hits) => {
  const it = await rig();
  await it.put(text);
  expect((await find(it, query)).passages.flatMap((passage) => passage.hits)).toEqual(hits);
});

test('in a giant line the surroundings of the match', async () => {
  const it = await rig();
  await it.put(`short\n${'x'.repeat(900_000)}needle42${'y'.repeat(900_000)}\nshort needle43\n`);
  const { passages } = await find(it, String.raw`needle\d\d`);
  expect(passages.map(({ hits }) => hits)).toEqual([[2], [3]]);
  expect(passages[0]?.text).toMatch(/^x{300}needle42y{292}$/);
  expect(passages[1]?.text).toBe('short needle43');
});

test('newest document first, only the own session, and one document where it is named', async () => {
  const it = await rig();
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.put('needle one');
  await it.put('needle two');
  await it.put('needle three', { session: other });
  const docs = async (more?: object): Promise<string[]> =>
    (await find(it, 'needle', more)).passages.map(({ doc }) => doc);
  expect(await docs()).toEqual(['d2', 'd1']);
  expect(await docs({ doc: 'd1' })).toEqual(['d1']);
  expect((await find(it, 'nothing')).otherSessions).toBe(1);
});

test.each(['(a', '[z-a]', 'a{5,2}', '(?<=a)b', '(\\w)\\1', '', '*', 'x'.repeat(2_000), '((a{1,1000}){1,1000}){1,9}'])(
  'a bad pattern is refused with what is wrong: %s',
  async (query) => {
    const it = await rig();
    await it.put('text');
    await expect(find(it, query)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringMatching(/is no valid pattern: .+ RE2.+ leave regex out\.$/s),
    });
  },
);

test.each([String.raw`(a+)+$`, String.raw`(a|aa)+b`, String.raw`(.*)*c`, String.raw`(x+x+)+y`])(
  'no pattern takes longer than in proportion: %s',
  async (query) => {
    const it = await rig();
    await it.put(`${'a'.repeat(60_000)}!\n${'x'.repeat(60_000)}!\n`);
    expect((await find(it, query)).matched).toBe('none');
  },
);

test('a scan stops where the caller gives up', async () => {
  const it = await rig();
  await it.put(log.join('\n').repeat(20));
  const abort = new AbortController();
  const args = { session: it.session, query: 'zzz(a|b)*', regex: true, units: 100 };
  const running = it.drawer.search(args, { signal: abort.signal, progress: () => undefined });
  abort.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
});
