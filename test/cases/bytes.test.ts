import { expect, test } from 'vitest';
import { control, rig, type Rig } from '../drawer/rig.ts';

const roundTrip = async (it: Rig, bytes: Buffer): Promise<void> => {
  const { id = '' } = await it.put(bytes);
  expect(bytes.equals((await it.drawer.readDocument({ id })).bytes)).toBe(true);
};

const anchorText = `d1 app.log
log · 10 bytes · complete: no, this is its anchor
-- lines, verbatim (1 of 2 not shown)
1: ‹redacted:token:12›
next: ctx_search {"doc":"d1","query":"…"}
`;

test.each([
  ['NUL', Buffer.from('hello wor\0ld tail')],
  ['invalid UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x0d, 0x0a])],
  ['byte order mark', Buffer.from('\uFEFFtext\n')],
  ['CR LF', Buffer.from('a\r\nb\r\n')],
  ['CR alone', Buffer.from('a\rb\rc')],
  ['a surrogate as CESU-8', Buffer.from([0xed, 0xa0, 0x80, 0x0a])],
  ['JSON that a parser would change', Buffer.from('{"id":12345678901234567890,"v":1.10,"v":1,"e":1E400}')],
  ['our own anchor and marker', Buffer.from(anchorText.repeat(80))],
  ['nothing', Buffer.alloc(0)],
  ['a line end', Buffer.from('\n')],
  ['characters of four bytes', Buffer.from('😀'.repeat(30))],
  ['lines that two outputs could be joined into', Buffer.from('rg\n/opt/x/ast-grep\n476:settings(a)\n497:other(b)\n')],
])('%s comes back byte for byte', async (_, bytes) => {
  const it = await rig();
  await roundTrip(it, bytes);
});

test('a character is never cut in two', async () => {
  const it = await rig();
  await it.put('😀'.repeat(30));
  for (let units = 1; units < 20; units++) {
    const { stretches, cursor } = await it.drawer.get({ session: it.session, ids: ['d1'], units });
    expect(stretches[0]?.text).toBe('😀'.repeat(Math.max(1, units >> 1)));
    expect(cursor).toBe(`0.${4 * Math.max(1, units >> 1)}`);
  }
});

test('text behind a NUL is found, and other documents are unharmed', async () => {
  const it = await rig();
  await it.put('hello wor\0ld tail');
  await it.put('the tail of another');
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'tail', units: 1000 });
  expect(passages.map(({ text }) => text).sort()).toEqual(['hello wor\0ld tail', 'the tail of another']);
});

test('bytes that are no UTF-8 come as base64, and are said to be', async () => {
  const it = await rig();
  const bytes = Buffer.from([0x61, 0xff, 0xfe, 0x0d, 0x0a]);
  const stored = await it.put(bytes);
  expect(stored).toMatchObject({ encoding: 'base64', text: bytes.toString('base64'), inline: true });
  const { stretches } = await it.drawer.get({ session: it.session, ids: ['d1'], units: 100 });
  expect(stretches[0]).toMatchObject({ encoding: 'base64', text: bytes.toString('base64'), bytes: [0, 4] });
});

test('words on both sides of a CR LF are found together', async () => {
  const it = await rig();
  await it.put('connection\r\nrefused\r\n');
  await it.indexed();
  const found = await it.drawer.search({ session: it.session, query: 'connection refused', units: 1000 });
  expect(found).toMatchObject({ matched: 'all', passages: [{ text: 'connection\r\nrefused', hits: [1, 2] }] });
});

test.each([
  ['a 5 MB line inside markdown', `# title\n\n${'x'.repeat(5_000_000)}needle${'y'.repeat(300)}\n\n## end\n`],
  ['ten lines of 2 MB', `${'0123456789'.repeat(200_000)} needle\n`.repeat(10)],
])('%s', async (_, text) => {
  const it = await rig();
  const bytes = Buffer.from(text);
  const stored = await it.put(bytes);
  expect(stored.chunks).toBeGreaterThan(bytes.length / 4097);
  expect(stored.text.length).toBeLessThanOrEqual(7900);
  expect(bytes.equals((await it.drawer.readDocument({ id: 'd1' })).bytes)).toBe(true);
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'needle', units: 4000, limit: 3 });
  expect(passages[0]?.text).toContain('needle');
  expect(passages.every(({ text: shown }) => shown.length <= 1500)).toBe(true);
});

test('a word that stands across the border of two chunks of one line is found', async () => {
  const it = await rig();
  const line = 'abcdefghij'.repeat(2000);
  await it.put(`${line.slice(0, 4090)}NEEDLEwide${line}`);
  await it.indexed();
  const { passages } = await it.drawer.search({ session: it.session, query: 'needlewide', units: 4000 });
  expect(passages[0]?.text).toContain('NEEDLEwide');
});

const config =
  '[server]\nport = 8080\nhost = "0.0.0.0"\n\n[log]\nlevel = "info"\nfile = "app.log"\n\n[db]\nurl = "x"\n';
const listing = Array.from(
  { length: 6 },
  (_, i) => `-rw-r--r-- 1 dev dev ${1000 + i} Nov 29 12:0${i} file${i}.txt`,
).join('\n');

test.each([
  ['a config file of ten lines', config],
  ['a listing of six files', listing],
])('%s comes back as it is and is not stored', async (_, text) => {
  const it = await rig();
  const args = { session: it.session, bytes: Buffer.from(text), source: { kind: 'text' } as const };
  const stored = await it.drawer.store(args, control());
  expect(stored).toMatchObject({ id: undefined, inline: true, text, encoding: 'text' });
  expect(await it.drawer.documents({ limit: 10 })).toEqual([]);
});

test('a file that fits into one answer and is hardly longer than an anchor is read at once; text that was sent is not sent back', async () => {
  const it = await rig({ unindexed: true });
  const text = Array.from({ length: 120 }, (_, n) => `${n} INFO request ${n * 7919} served in ${n % 97} ms\n`).join('');
  const more = { keep: false, title: 'app.log' };
  const file = await it.put(text, { ...more, source: { kind: 'file', path: '/app.log' } });
  expect(file).toMatchObject({ id: undefined, inline: true, text });
  expect(await it.put(text, more)).toMatchObject({ id: 'd1', inline: false });
  const long = await it.put(text.repeat(2), { ...more, source: { kind: 'file', path: '/app.log' } });
  expect(long).toMatchObject({ id: 'd2', inline: false });
});

test('content smaller than its anchor comes back as it is, whatever the budget', async () => {
  const it = await rig();
  const args = { session: it.session, bytes: Buffer.from(config.repeat(3)), source: { kind: 'text' } as const };
  expect(await it.drawer.store({ ...args, budget: 20 }, control())).toMatchObject({
    inline: true,
    text: config.repeat(3),
  });
});

test('an anchor is never larger than what it stands for', async () => {
  const it = await rig();
  for (let size = 1; size < 40_000; size = Math.ceil(size * 1.35)) {
    const bytes = Buffer.from(
      Array.from({ length: size }, (_, i) => `${i} ${'word '.repeat(i % 9)}`)
        .join('\n')
        .slice(0, size),
    );
    const stored = await it.drawer.store({ session: it.session, bytes, source: { kind: 'text' } }, control());
    expect(stored.anchorTokens).toBeLessThanOrEqual(stored.inline ? stored.tokens : stored.tokens / 1.3);
    expect(stored.text.length).toBeLessThanOrEqual(7900);
  }
});

test('what is retrieved is not stored again', async () => {
  const it = await rig();
  await it.put('line of text\n'.repeat(9_000));
  const read = async (cursor?: string): Promise<number> => {
    const got = await it.drawer.get({ session: it.session, ids: ['d1'], bytes: [0, 49_999], units: 7_000, cursor });
    return 1 + (got.cursor === undefined ? 0 : await read(got.cursor));
  };
  expect(await read()).toBeGreaterThan(7);
  expect(await it.drawer.documents({ limit: 9 })).toHaveLength(1);
});

test('a search gives up when its caller does, however much there is', async () => {
  const it = await rig({ unindexed: true });
  const hunk = '@@ -1,4 +1,4 @@\n-old line of some code\n+new line of some code\n context\n';
  await it.put(`diff --git a/x b/x\n${hunk.repeat(120_000)}`);
  for (const regex of [true, false]) {
    const { signal } = new AbortController();
    const abort = AbortSignal.any([signal, AbortSignal.timeout(1)]);
    const search = it.drawer.search({ session: it.session, query: 'zzzz', regex, units: 100 }, control(abort));
    await expect(search).rejects.toMatchObject({ code: 'CANCELLED' });
  }
});
