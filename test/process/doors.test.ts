import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unfenced } from '#drawer/tools/fenced.ts';
import { partLimit } from '#base/text.ts';
import { doors, idOf, openDoor, type OpenedDoor } from '../fixtures.ts';

const lines = (n: number, end = '\n'): string =>
  Array.from({ length: n }, (_, k) => `${k} the quick brown fox jumps over ${k * 7919}`).join(end);

describe.each(doors)('over %s', (door) => {
  let loom: OpenedDoor;
  beforeAll(async () => {
    loom = await openDoor(door);
  });
  afterAll(() => loom.close());

  const stored = async (name: string, content: string | Uint8Array): Promise<string> => {
    writeFileSync(join(loom.workspace, name), content);
    const anchor = await loom.ask('ctx_store_file', { path: name, keep: true });
    expect(anchor.length).toBeLessThanOrEqual(partLimit);
    return idOf(anchor);
  };

  test('lists the core tools, with hints', async () => {
    const { tools } = await loom.client.listTools();
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(readOnly).toEqual(['ctx_get', 'ctx_search', 'ctx_store', 'ctx_store_file', 'loom_op', 'read_python_output']);
    const others = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(others).toEqual(['interrupt_python', 'loom_op_write', 'reset_python', 'run_python']);
  });

  test.each([
    ['LF', lines(5_000)],
    ['CR LF', lines(5_000, '\r\n')],
    ['a BOM', `\ufeff${lines(3_000)}`],
    ['NUL', `hello wor\0ld tail\n${lines(3_000)}`],
    ['numbers that JSON would change', `{"id":12345678901234567890,"v":1.10,"v":1,"e":1E400}\n`.repeat(800)],
    ['a line of 5 MB', 'x1y2'.repeat(1_310_720)],
    ['ten lines of 200 KB', 'ab'.repeat(100_000).concat('\n').repeat(10)],
    ['emoji', '😀'.repeat(30_001)],
    ['our own marks', `${'d1 app.log | lines 1-2 | complete: yes\n‹redacted:token:12›\n'.repeat(500)}`],
  ])('gives back every byte of a file with %s', async (name, text) => {
    const id = await stored(`${name}.txt`, text);
    expect((await loom.bytes(id)).equals(Buffer.from(text))).toBe(true);
  });

  test.each([
    ['invalid UTF-8', Buffer.concat([Buffer.from([0x61, 0xff, 0xfe, 0x0d, 0x0a]), Buffer.from(lines(2_000))])],
    ['random bytes', randomBytes(60_000)],
  ])('gives back every byte of %s', async (name, bytes) => {
    const id = await stored(`${name}.bin`, bytes);
    expect((await loom.bytes(id)).equals(bytes)).toBe(true);
  });

  test('gives back a lone surrogate that a text held', async () => {
    const text = `${lines(2_000)}\ud83d tail`;
    const id = idOf(await loom.ask('ctx_store', { text }));
    expect((await loom.bytes(id)).subarray(-8).toString('hex')).toBe(`eda0bd${Buffer.from(' tail').toString('hex')}`);
  });

  test('small content comes back as it is, and nothing more', async () => {
    const text = 'total 2\n-rw-r--r-- 1 a a   12 a.txt\n-rw-r--r-- 1 a a 3400 b.txt\n';
    writeFileSync(join(loom.workspace, 'small.txt'), text);
    expect(await loom.ask('ctx_store_file', { path: 'small.txt' })).toBe(text);
    expect(await loom.ask('ctx_store', { text })).toBe(text);
  });

  test('the same bytes give the same id and the same anchor', async () => {
    const text = lines(2_500);
    writeFileSync(join(loom.workspace, 'same.txt'), text);
    const first = await loom.ask('ctx_store_file', { path: 'same.txt' });
    expect(await loom.ask('ctx_store_file', { path: 'same.txt' })).toBe(first);
  });

  test('search finds the needle in the middle and names its line', async () => {
    const text = lines(6_000).replace('3000 the quick', '3000 the zanzibar_needle quick');
    const id = await stored('hay.log', text);
    const found = await loom.ask('ctx_search', { query: 'zanzibar needle' });
    expect(found).toContain(`\n${id} hay.log\n`);
    expect(found).toContain('\n3001>3000 the zanz');
    expect(found).toContain('3000 the zanzibar_needle quick brown fox');
    const none = await loom.ask('ctx_search', { query: 'qqxqqzv' });
    expect(none).toMatch(/^No match for "qqxqqzv" in \d+ documents?, /);
  });

  test('a line range is exact', async () => {
    const id = await stored('range.txt', lines(4_000));
    const part = await loom.ask('ctx_get', { id, lines: '120-122' });
    const { header, text } = unfenced(part);
    expect(header).toMatch(/ \| lines 120-122 of 4,000 \| bytes \d+-\d+ of [\d,]+ \| complete: yes$/);
    expect(text).toBe(lines(4_000).split('\n').slice(119, 122).join('\n').concat('\n'));
  });

  test('files outside the workspace are refused, also through a link', async () => {
    const outside = join(tmpdir(), `loom-outside-${process.pid}-${door}.txt`);
    writeFileSync(outside, lines(3_000));
    symlinkSync(outside, join(loom.workspace, 'link.txt'));
    for (const path of [outside, 'link.txt', '../x.txt']) {
      const answer = await loom.ask('ctx_store_file', { path });
      expect(answer).toMatch(/^Error FILE_(REFUSED|UNREADABLE) /);
      expect(answer).not.toContain('quick brown');
    }
  });

  test('files too small to be stored are not counted as stored', async () => {
    mkdirSync(join(loom.workspace, 'mixed'), { recursive: true });
    for (const name of ['a', 'b', 'c', 'd'])
      writeFileSync(join(loom.workspace, `mixed/${name}.log`), `${name}\n${lines(900)}`);
    for (const name of ['e', 'f']) writeFileSync(join(loom.workspace, `mixed/${name}.log`), `${name}\n`);
    const answer = await loom.ask('ctx_store_file', { path: 'mixed/*.log' });
    expect(answer).toMatch(/^4 files stored, 2 too small to be \(with one path they come whole\);/);
  });

  test('globs store several files, and what failed is named', async () => {
    mkdirSync(join(loom.workspace, 'logs/deep'), { recursive: true });
    for (const name of ['a', 'b', 'deep/c', 'deep/d', 'e'])
      writeFileSync(join(loom.workspace, `logs/${name}.log`), `${name}\n${lines(900)}`);
    const answer = await loom.ask('ctx_store_file', { paths: ['logs/**/*.log', 'missing.log'] });
    expect(answer).toMatch(/^5 files stored;/);
    expect(answer).toMatch(/not stored: .*missing\.log/);
  });

  test.each([
    ['an unknown tool', 'ctx_fetch', {}, 'Error UNKNOWN_TOOL'],
    ['an unknown id', 'ctx_get', { id: 'd4711' }, 'Error NOT_FOUND'],
    ['no id at all', 'ctx_get', { id: 'hello' }, 'Error '],
    ['a bad range', 'ctx_get', { id: 'd1', lines: 'a-b' }, 'Error INVALID_ARGUMENTS'],
    ['lines beyond the end', 'ctx_get', { id: 'd1', lines: '9000000-9000001' }, 'Error OUT_OF_RANGE'],
    ['an unknown key', 'ctx_search', { qurey: 'x' }, 'did you mean "query"'],
    ['a missing file', 'ctx_store_file', { path: 'nope.log' }, 'Error FILE_UNREADABLE'],
  ])('%s is answered with what to do', async (_, tool, args, words) => {
    const answer = await loom.ask(tool, args);
    expect(answer).toContain(words);
    expect(answer).toMatch(/^Error [A-Z_]+ \(\w+, (do not retry unchanged|may be retried)\): /);
  });

  test('the ledger has what was paid and what was moved', async () => {
    const text = await loom.ask('ctx_stats', { scope: 'session' });
    expect(text).toMatch(/^[\d,]+ calls?; /);
    expect(text).toMatch(/^Net: -?[\d,]+ \(/m);
  });

  test('health answers by name though it is not listed', async () => {
    expect(await loom.ask('ctx_health')).toMatch(/^drawer: open, owned by this program\n/);
  });
});
