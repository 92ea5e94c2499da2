import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import type { GetArgs, Excerpt } from '#drawer/types.ts';
import { newlines, random, randomBytes } from './random.ts';
import { rig, type Rig } from './rig.ts';

type Asked = Omit<GetArgs, 'session' | 'cursor'>;

/** All pages of an answer; each is checked for its size. */
const pagesOf = async ({ drawer, session }: Rig, asked: Asked): Promise<Excerpt[]> => {
  const stretches: Excerpt[] = [];
  for (let cursor: string | undefined; ;) {
    const got = await drawer.get({ session, ...asked, cursor });
    const units = got.stretches.reduce((sum, { text }) => sum + text.length, 0);
    expect(units).toBeLessThanOrEqual(asked.units);
    stretches.push(...got.stretches);
    cursor = got.cursor;
    if (cursor === undefined) return stretches;
  }
};

const bytesOf = (stretches: readonly Excerpt[]): Buffer =>
  Buffer.concat(stretches.map(({ text, encoding }) => Buffer.from(text, encoding === 'text' ? 'utf8' : 'base64')));

/** First byte of line `line` (from 1), found the slow way. */
const lineStart = (bytes: Buffer, line: number): number => {
  let at = 0;
  for (let passed = 1; passed < line && at < bytes.length; passed++) {
    const end = bytes.indexOf(10, at);
    at = end < 0 ? bytes.length : end + 1;
  }
  return at;
};

const checkExcerpts = (stretches: readonly Excerpt[], bytes: Buffer): void => {
  for (const {
    text,
    encoding,
    lines,
    bytes: [first, last],
  } of stretches) {
    const part = bytes.subarray(first, last + 1);
    expect(Buffer.from(text, encoding === 'text' ? 'utf8' : 'base64').equals(part)).toBe(true);
    expect(lines[0]).toBe(newlines(bytes.subarray(0, first)) + 1);
    if (encoding === 'text') expect(isUtf8(part)).toBe(true);
  }
};

test.each(Array.from({ length: 16 }, (_, seed) => seed))('any range of random bytes comes back, %i', async (seed) => {
  const it = await rig({ unindexed: true });
  const bytes = Buffer.concat([Buffer.from('x'), randomBytes(seed + 500, 60_000, seed % 2 === 0)]);
  const { id = '', lines } = await it.put(bytes);
  const { below } = random(seed);
  const whole = await pagesOf(it, { ids: [id], units: 7900 });
  expect(bytesOf(whole).equals(bytes)).toBe(true);
  checkExcerpts(whole, bytes);
  if (isUtf8(bytes)) expect(whole.every(({ encoding }) => encoding === 'text')).toBe(true);
  for (let round = 0; round < 12; round++) {
    const units = 40 + below(4000);
    const first = below(bytes.length);
    const last = first + below(3000);
    const byBytes = await pagesOf(it, { ids: [id], bytes: [first, last], units });
    expect(bytesOf(byBytes).equals(bytes.subarray(first, last + 1))).toBe(true);
    checkExcerpts(byBytes, bytes);
    const from = 1 + below(lines);
    const to = from + below(40);
    const byLines = await pagesOf(it, { ids: [id], lines: [from, to], units: 7900 });
    expect(bytesOf(byLines).equals(bytes.subarray(lineStart(bytes, from), lineStart(bytes, to + 1)))).toBe(true);
    expect(byLines.at(-1)?.lines[1]).toBe(Math.min(to, lines));
  }
});

test('chunks joined are the document', async () => {
  const it = await rig({ unindexed: true });
  const bytes = randomBytes(3, 300_000, true);
  const { id = '', chunks } = await it.put(bytes);
  const ids = Array.from({ length: chunks }, (_, i) => `${id}.${i + 1}`);
  expect(bytesOf(await pagesOf(it, { ids, units: 7900 })).equals(bytes)).toBe(true);
});

test('several ids, in the order asked for, with a cursor between', async () => {
  const it = await rig({ unindexed: true });
  await it.put('first\n');
  await it.put('second\n'.repeat(200));
  const { stretches, cursor } = await it.drawer.get({ session: it.session, ids: ['D2', '1'], units: 400 });
  expect(stretches.map(({ id }) => id)).toEqual(['d2']);
  expect(stretches[0]?.text.endsWith('\n')).toBe(true);
  const rest = await pagesOf(it, { ids: ['D2', '1'], units: 400 });
  expect(rest.map(({ text }) => text).join('')).toBe(`${'second\n'.repeat(200)}first\n`);
  expect(cursor).toBeDefined();
});

test('a stretch says where it stands', async () => {
  const it = await rig({ unindexed: true });
  await it.put('a\r\nb\r\nc', { title: 'three' });
  const { stretches } = await it.drawer.get({ session: it.session, ids: ['d1.1'], lines: [2, 9], units: 100 });
  expect(stretches).toEqual([
    {
      id: 'd1',
      title: 'three',
      text: 'b\r\nc',
      encoding: 'text',
      lines: [2, 3],
      bytes: [3, 6],
      totalLines: 3,
      totalBytes: 7,
      masked: false,
    },
  ]);
});

test('base64 where it is asked for', async () => {
  const it = await rig({ unindexed: true });
  await it.put('plain text');
  const { stretches } = await it.drawer.get({ session: it.session, ids: ['d1'], encoding: 'base64', units: 100 });
  expect(stretches[0]).toMatchObject({ text: 'cGxhaW4gdGV4dA==', encoding: 'base64' });
});

test.each([
  [{ ids: ['nonsense'] }, 'INVALID_ARGUMENTS', '"nonsense" is no id'],
  [{ ids: ['d9'] }, 'NOT_FOUND', 'd9 was never given out (the newest id is d1)'],
  [{ ids: ['d1.7'] }, 'NOT_FOUND', 'd1.7 was never given out: d1 has 1 chunk.'],
  [
    { ids: ['d1'], lines: [5, 9] as const },
    'OUT_OF_RANGE',
    'd1 has 2 lines; line 5 is not there. The last 20 are "-20:".',
  ],
  [
    { ids: ['d1'], lines: [2, 1] as const },
    'INVALID_ARGUMENTS',
    'lines: 2-1 is no range of d1: the last stands before the first: write "1-2".',
  ],
  [
    { ids: ['d1'], bytes: [4, 4] as const },
    'OUT_OF_RANGE',
    'd1 has 4 bytes; byte 4 is not there. The last 20 are "-20:".',
  ],
  [{ ids: ['d1'], cursor: 'd1' }, 'INVALID_ARGUMENTS', '"d1" is no cursor'],
])('%j is refused with %s', async (asked, code, words) => {
  const it = await rig({ unindexed: true });
  await it.put('a\nb\n');
  const refused = it.drawer.get({ session: it.session, units: 100, ...asked });
  await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
});

test('an id of another session says so', async () => {
  const it = await rig({ unindexed: true });
  await it.put('mine');
  const session = await it.drawer.session({ client: 'other', root: '/project' });
  const refused = it.drawer.get({ session, ids: ['d1'], units: 100 });
  await expect(refused).rejects.toMatchObject({ code: 'OTHER_SESSION' });
  const searched = it.drawer.search({ session, query: 'mine', doc: 'd1', units: 100 });
  await expect(searched).rejects.toMatchObject({ code: 'OTHER_SESSION' });
});
