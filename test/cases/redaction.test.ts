import { expect, test } from 'vitest';
import { control, rig } from '../drawer/rig.ts';
import { serviceLog } from '../drawer/samples.ts';

const hex = '3f786850e387550fdab836ed7e6dc881de23001b';

test.each([
  [
    'git show',
    `commit ${hex}\nAuthor: Dev <dev@example.org>\n\n    a change\n\nindex ${hex.slice(0, 7)}..${hex.slice(8, 15)} 100644\n`,
  ],
  ['a UUID', 'request 9b2f6c1e-4f7d-4a55-8c6e-2f6de1e3c001 token=9b2f6c1e-4f7d-4a55-8c6e-2f6de1e3c001\n'],
  ['a constant', "const ALERT_KEY = 'brain-sync-wrong-branch'\nconst SECRET = 'brain-sync-wrong-branch'\n"],
  [
    'a lock file',
    `"integrity": "sha512-${Buffer.alloc(64, 9).toString('base64')}"\nsha256:${hex}${hex.slice(0, 24)}\n`,
  ],
  ['what was masked before', 'd1 app.log\n1: token=‹redacted:token:12›\n'],
  ['numbers and addresses', 'https://example.org/a?id=12345678901234567890 user@example.org 10.0.0.5:5432\n'],
])('%s stays as it is', async (_, text) => {
  const it = await rig();
  const { id = '', redactions } = await it.put(text);
  expect(redactions).toEqual([]);
  expect((await it.drawer.readDocument({ id })).bytes.toString()).toBe(text);
});

test('a secret is masked once, on the way in: hash, ids and search know the masked text only', async () => {
  const it = await rig();
  const stored = await it.put('user=dev\npassword=hunter2hunter2\nend\n');
  expect(stored.redactions).toEqual([{ rule: 'password', line: 2, length: 14 }]);
  const masked = 'user=dev\npassword=‹redacted:password:14›\nend\n';
  expect((await it.drawer.readDocument({ id: 'd1' })).bytes.toString()).toBe(masked);
  expect(await it.put(masked)).toMatchObject({ id: 'd1', duplicate: true, sha256: stored.sha256, redactions: [] });
  expect(await it.put('user=dev\npassword=hunter3hunter3\nend\n')).toMatchObject({ id: 'd1', duplicate: true });
  await it.indexed();
  const found = await it.drawer.search({ session: it.session, query: 'hunter2hunter2', units: 500 });
  expect(found.matched).toBe('none');
});

test('a stretch says whether a secret was masked in it; a mask that was in the content is none', async () => {
  const it = await rig();
  await it.put(`token=abcd1234efgh\n${'line\n'.repeat(50)}`);
  await it.put('token=‹redacted:token:12›\n');
  const masked = async (id: string, line: number): Promise<boolean | undefined> =>
    (await it.drawer.get({ session: it.session, ids: [id], lines: [line, line], units: 500 })).stretches[0]?.masked;
  expect([await masked('d1', 1), await masked('d1', 9), await masked('d2', 1)]).toEqual([true, false, false]);
});

test.each([
  [true, 'password=‹redacted:password:14›'],
  [false, 'password=hunter2hunter2'],
])('redaction can be switched off, of content and title: %s', async (redact, expected) => {
  const it = await rig({ policy: { redact } });
  const { title } = await it.put('password=hunter2hunter2', { title: 'password=hunter2hunter2' });
  expect(title).toBe(expected);
  expect((await it.drawer.readDocument({ id: 'd1' })).bytes.toString()).toBe(expected);
});

test('what is transferred is as it was stored', async () => {
  const it = await rig({ policy: { redact: true } });
  const other = await it.drawer.session({ client: 'other', root: '/project' });
  await it.put('token=abcd1234efgh\n');
  await it.drawer.transfer({ ids: ['d1'], from: it.session, to: other, move: false }, control());
  const { stretches } = await it.drawer.get({ session: other, ids: ['d2'], units: 500 });
  expect(stretches[0]).toMatchObject({ text: 'token=‹redacted:token:12›\n', masked: true });
});

test('what a mask says of itself is no value of the document', async () => {
  const it = await rig();
  const secret = 'aB3'.repeat(777);
  const {
    id = '',
    text,
    redactions,
  } = await it.put(`${serviceLog(20)}password=${secret}\nredis://:${secret}@cache.example.org:6379/0\n`);
  expect(redactions.map(({ rule, length }) => [rule, length])).toEqual([
    ['password', secret.length],
    ['url', secret.length],
  ]);
  expect(text.replaceAll(/‹redacted:[\w-]+:\d+›/g, '')).not.toContain('2331');
  const { invariants } = await it.drawer.inspect({ id }, control());
  const numbers = invariants.find(({ kind }) => kind === 'number')?.values ?? [];
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.filter((value) => value.text.includes('2331'))).toEqual([]);
});
