import { describe, expect, test } from 'vitest';
import { maskBytes } from '#base/maskBytes.ts';

const maskedText = async (text: string): Promise<string> => (await maskBytes(Buffer.from(text))).bytes.toString();

const hex = (length: number): string => '0a1b2c3d4e5f6789'.repeat(8).slice(0, length);
const githubToken = `ghp_${'aB3dE5fG7hJ9'.repeat(3)}`;
const key = (end: string): string =>
  [
    '-----BEGIN RSA PRIVATE KEY-----',
    'MIIEpAIBAAKCAQEA'.repeat(4),
    'b'.repeat(64),
    '-----END RSA PRIVATE KEY-----',
  ].join(end);

describe('a secret is masked, and nothing beside it', () => {
  test.each([
    ['Authorization: Bearer abc123def456', 'Authorization: Bearer ‹redacted:bearer:12›'],
    ['key sk-abcdef1234567890 end', 'key ‹redacted:sk:19› end'],
    ['password=hunter2hunter2', 'password=‹redacted:password:14›'],
    ['password=supersecret', 'password=‹redacted:password:11›'],
    ['DB_PASSWORD="s3cret pass"', 'DB_PASSWORD="‹redacted:password:11›"'],
    ["client_secret = 'q8Zr52mL'", "client_secret = '‹redacted:secret:8›'"],
    ['GET /x?token=abcd1234efgh&page=2', 'GET /x?token=‹redacted:token:12›&page=2'],
    ['{"accessToken": "ya29.a0AfH6SMBx"}', '{"accessToken": "‹redacted:token:15›"}'],
    ['password: hunter22secret', 'password: ‹redacted:password:14›'],
    ['größe password=geheim123äö ende', 'größe password=‹redacted:password:13› ende'],
    [`token ${githubToken}.`, 'token ‹redacted:github:40›.'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEX;', 'aws_secret_access_key = ‹redacted:key:40›;'],
    ['see https://user:pa55word1234@example.org/x', 'see https://user:‹redacted:url:12›@example.org/x'],
    ['postgres://admin:s3cretpass99@db.host/x', 'postgres://admin:‹redacted:url:12›@db.host/x'],
  ])('%s', async (text, expected) => expect(await maskedText(text)).toBe(expected));
});

describe('what is no secret stays as it is', () => {
  test.each([
    `commit ${hex(40)}`,
    `  "integrity": "sha512-${Buffer.alloc(64, 7).toString('base64')}",`,
    `sha256:${hex(64)}`,
    `checksum=${hex(64)}`,
    `token=${hex(40)}`,
    `token=9b2f6c1e-4f7d-4a55-8c6e-2f6de1e3c001`,
    "const ALERT_KEY = 'brain-sync-wrong-branch'",
    "secret = 'brain-sync-wrong-branch'",
    'Bearer authentication is required',
    '<div class="sk-estimator-doc-link sk-toggleable__content">',
    'unexpected token: identifier expected',
    'const token = tokenizer.next()',
    'connect(password=settings.password, token=accessToken)',
    'password=getPassword()',
    'password=${DB_PASSWORD} token=<your-token> secret=********',
    'max_tokens=12345678 tokens=123456789',
    "password='short'",
    '"password": "Enter your password"',
    'if (password == expected1) return',
    'd1 app.log\n1: ‹redacted:token:12›\npassword=‹redacted:password:14›\n',
  ])('%s', async (text) => {
    const bytes = Buffer.from(text);
    expect(await maskBytes(bytes)).toEqual({ bytes, masked: [] });
  });
});

test.each(['\n', '\r\n'])('line numbers stay true behind a key of several lines: %j', async (end) => {
  const text = `first${end}${key(end)}${end}token=abcd1234efgh${end}last`;
  const { bytes, masked } = await maskBytes(Buffer.from(text));
  expect(masked).toEqual([
    { rule: 'privatekey', line: 2, length: key(end).length },
    { rule: 'token', line: 6, length: 12 },
  ]);
  expect(bytes.toString().split(end)).toEqual([
    'first',
    `‹redacted:privatekey:${key(end).length}›`,
    '',
    '',
    '',
    'token=‹redacted:token:12›',
    'last',
  ]);
});

test('bytes that are no UTF-8 stay, around a mask too', async () => {
  const around = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  const { bytes } = await maskBytes(Buffer.concat([around, Buffer.from(' token=abcd1234efgh '), around]));
  expect(bytes).toEqual(Buffer.concat([around, Buffer.from(' token=‹redacted:token:12› '), around]));
});

test('a secret is found wherever it stands in something large', async () => {
  const filler = 'request 17 was served in 12 ms\n'.repeat(7_000);
  for (let at = 65_000; at < 66_200; at += 37) {
    const text = `${filler.slice(0, at)}\n${key('\n')}\ntoken=abcd1234efgh ${filler}`;
    const { masked } = await maskBytes(Buffer.from(text));
    expect(masked.map(({ rule, length }) => [rule, length])).toEqual([
      ['privatekey', key('\n').length],
      ['token', 12],
    ]);
  }
});

test('a secret in one giant line is found once, across the borders of what is read at once', async () => {
  const line = 'x'.repeat(400_000);
  for (let at = 65_400; at < 65_600; at += 7) {
    const { masked } = await maskBytes(Buffer.from(`${line.slice(0, at)} ${githubToken} ${line}`));
    expect(masked).toEqual([{ rule: 'github', line: 1, length: 40 }]);
  }
});

test.each([
  ['names', 'password='],
  ['open quotes', "token='"],
  ['schemes', 'Bearer '],
  ['prefixes', 'sk-'],
  ['letters', 'ab12_-'],
  ['addresses', 'https://a:b'],
  ['spaces', '        '],
  ['keys', '-----BEGIN '],
  ['keys without an end', '-----BEGIN PRIVATE KEY-----\\n'],
  ['placeholders', 'password=xxxxxxxx'],
  ['names in quotes', '"secret": "'],
  ['escaped quotes', 'token=\\\\"'],
  ['elements', '<password>abcdefgh'],
  ['flags', '--token a'],
  ['redirections', 'redis://:a@'],
  ['commands', 'curl -u a:'],
  ['databases', 'mysql -u'],
  ['logins', 'login a password '],
  ['columns', 'a:*:b:c:\n'],
  ['tokens', 'eyJhbGciOi.'],
  ['colours', '\x1b[31mpassword'],
  ['joined words', 'password=ab-'],
  ['humps', 'password=aBcdEfgh'],
  ['members', 'token: ab.cd1ef.'],
])('a run of %s takes time in proportion', async (_, unit) => {
  // A quadratic rule would not end within the test's time.
  const bytes = Buffer.from(unit.repeat(Math.ceil(1_000_000 / unit.length)));
  expect((await maskBytes(bytes)).bytes.length).toBeLessThanOrEqual(bytes.length);
});

test('what is only the end of something else is no secret, where a window begins in it too', async () => {
  const text = `${'x'.repeat(57_344)}sk-abcdef1234567890 ${'y '.repeat(40_000)}`;
  expect((await maskBytes(Buffer.from(text))).masked).toEqual([]);
});
