import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { extractInvariants, invariantsOf } from '#drawer/invariants/extract.ts';
import { InvariantReader } from '#drawer/invariants/reader.ts';
import { TallyCounter, type Tally } from '#drawer/invariants/table.ts';
import { random, randomBytes } from './random.ts';
import * as samples from './samples.ts';

test.each<[string, string[]]>([
  ['listening on :8080 with v1.2.3', ['port 8080', 'version v1.2.3']],
  ['since 2026-11-29, took 12 ms.', ['date 2026-11-29', 'number 12 ms']],
  ['2026-11-29T10:00:00Z until 2026-11-30T10:00:00Z', ['date 2026-11-29', 'date 2026-11-30T10:00:00Z']],
  ['10:00:00 opens at 14:30', ['date 14:30']],
  ['29/Nov/2026 29.11.2026 11/29/2026', ['date 29/Nov/2026', 'date 29.11.2026', 'date 11/29/2026']],
  ['from 10.0.3.196:6379 to localhost:3000', ['id 10.0.3.196', 'port 6379', 'port 3000']],
  ['port 5432, port=81, port: 82, Port 443', ['port 5432', 'port 81', 'port 82', 'port 443']],
  ['- "8001:80"', ['port 8001', 'port 80']],
  ['see https://example.org/a?b=1,2&c (or http://x.y/z).', ['url https://example.org/a?b=1,2&c', 'url http://x.y/z']],
  ['at /srv/billing/charge.ts:88:11', ['path /srv/billing/charge.ts', 'number 88', 'number 11']],
  ['C:\\Users\\x\\a.txt and src/a.ts and docs/größe.md', ['path C:\\Users\\x\\a.txt', 'path src/a.ts', 'path docs/größe.md']],
  ['and/or text/html, I/O', []],
  ['lodash@4.17.21 ^1.2.3 image:1.2.0-rc.1 v2', ['version 4.17.21', 'version 1.2.3', 'version 1.2.0-rc.1', 'version v2']],
  ['commit deadbeef12, id=0a1b2c3d', ['hash deadbeef12', 'hash 0a1b2c3d']],
  ['"sha512-abcdefghijklmnopqrstuv/+"', ['hash sha512-abcdefghijklmnopqrstuv/+']],
  ['ORD-77121 PX40221 3f2504e0-4f89-41d3-9a0c-0305e82c3301', ['id ORD-77121', 'id PX40221', 'id 3f2504e0-4f89-41d3-9a0c-0305e82c3301']],
  ['utf8 int32 us-east-1 a@b.org user:7209', ['id a@b.org', 'number 7209']],
  ['1.5GB 25% $12.50 -3 1e9 0xff 4,200 EUR', ['number 1.5GB', 'number 25%', 'number $12.50', 'number -3', 'number 1e9', 'number 0xff', 'number 4,200 EUR']],
  ['[1,200,300] x,1,200', ['number 1', 'number 200', 'number 300', 'number 1', 'number 200']],
  ['  The valve must never be opened.  ', ['constraint The valve must never be opened.']],
  ['mustard at most times', ['constraint mustard at most times']],
  ['mustard neverland', []],
])('%s', (text, expected) => {
  expect(invariantsOf(text).map(({ kind, text: value }) => `${kind} ${value}`)).toEqual(expected);
}); // prettier-ignore

const tallyInSlices = (bytes: Buffer, seed: number): Tally => {
  const { below } = random(seed);
  const counter = new TallyCounter();
  const reader = new InvariantReader(counter.add);
  for (let at = 0; at < bytes.length;) {
    const size = 1 + below(below(4) === 0 ? 20_000 : 50);
    atOnce(reader.feed(bytes.subarray(at, at + size)));
    at += size;
  }
  reader.end();
  return counter.tally();
};

test('the same invariants whatever slices the content comes in', () => {
  const contents = [
    Buffer.from(samples.serviceLog(300)),
    Buffer.from(samples.ordersJson()),
    Buffer.from(samples.ordersJson().replaceAll('\n', ' ')),
    Buffer.from(`${'value 12 ms at /srv/a.ts:7, '.repeat(2000)}\n${'7'.repeat(30_000)} v1.2.3`),
    ...[260, 400, 520].map((times) => Buffer.from(`${'2026-11-29T10:00:00Z it must be 12 ms, '.repeat(times)}\n`)),
    ...[1, 2, 3, 4].map((seed) => randomBytes(seed, 60_000, true)),
  ];
  for (const [seed, bytes] of contents.entries()) {
    const { table, tally } = atOnce(extractInvariants(bytes));
    expect(tallyInSlices(bytes, seed)).toEqual(tally);
    // What the table answers is what stands in the content.
    for (let index = 0; index < Math.min(200, table.size); index++)
      expect(bytes.includes(Buffer.from(table.textAt(index)))).toBe(true);
  }
});

test('a changed, lost or added invariant changes the tally', () => {
  const log = samples.serviceLog(200);
  const tally = (text: string): Tally => atOnce(extractInvariants(Buffer.from(text))).tally;
  const whole = tally(log);
  expect(tally(log.replace('ORD-77121', 'ORD-77122'))).not.toEqual(whole);
  expect(tally(log.replace('(code 51)', ''))).not.toEqual(whole);
  expect(tally(`${log}v1.2.3\n`)).not.toEqual(whole);
});

const size = 100_000;
/** 100 KB each of what a pattern would look longest at: almost a match, over and over, or one that never ends. */
const worst = [
  '1', '1.', '1,234', ' 1,234,', '1-', '12:', '2026-11-29', '2026-11-29T10:00:0', 'v1.', '1.2.3-a', '10.0.0.', 'a1-', 'A-1_',
  '/', '/a', 'a/', 'a/b.', './', '~/', 'C:\\', '\\', 'a.b/', '://', 'a://', 'http://a', 'http://a/?', 'a@', 'a@b.', 'a@b.c@', '0x',
  'f', 'deadbeef', 'sha512-', 'sha1-a', '3f2504e0-', ':80', '80:80', ':8', '#', 'must ', 'at mos', 'no more ', 'no more than', 'do ',
  'port ', 'port 80', '$1', '+', '-', '_', '.', ',', '=', '"', '\xff', 'é1', '数1', ' ', '\t', '\0', '\r', 'must', 'e1e1', '1e', '%1',
]; // prettier-ignore

test('no text, however bad, takes longer than its length allows', { timeout: 300_000 }, () => {
  for (const piece of worst) {
    for (const line of [
      piece.repeat(size / piece.length),
      `${piece.repeat(200)}x `.repeat(size / (piece.length * 200)),
    ]) {
      const bytes = Buffer.from(line);
      const steps = { count: 0 };
      const work = extractInvariants(bytes);
      for (let step = work.next(); !step.done; step = work.next()) steps.count++;
      expect(steps.count).toBeLessThan(200);
    }
  }
});
