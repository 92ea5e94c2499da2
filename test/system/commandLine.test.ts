// `loom` on a terminal, and over a drawer of somebody else.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bundles, remove, scratch } from '../fixtures.ts';

const folders: string[] = [];
afterEach(() => remove(...folders.splice(0)));
const folder = (): string => {
  const made = scratch();
  folders.push(made);
  return made;
};

const loom = (drawer: string, words: string[], more: { uid?: number } = {}) =>
  spawnSync(process.execPath, [join(bundles, 'cli.cjs'), ...words], {
    env: { ...process.env, LOOM_DB: drawer },
    encoding: 'utf8',
    ...more,
  });

test('what is stored rules no terminal, and goes through a pipe as it is', () => {
  const drawer = folder();
  const file = join(drawer, '\x1b]0;title\x07.txt');
  const text = 'a\x1b[31mred\x1b[0m \x1b]52;c;ZXZpbA==\x07 \x9b2J back\rspace\u202e\r\nnext\tend\n';
  writeFileSync(file, text);
  loom(drawer, ['store', file]);
  expect(loom(drawer, ['get', 'd1']).stdout).toBe(text);
  for (const words of ['get d1', 'search red', 'store $F', 'sessions']) {
    const command = `"${process.execPath}" "${join(bundles, 'cli.cjs')}" ${words}`;
    const env = { ...process.env, LOOM_DB: drawer, F: file };
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
    // The terminal itself makes a line end of two characters.
    expect(stdout.replace(/\r+\n/g, '\n')).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
    if (words === 'get d1') expect(stdout).toContain('a␛[31mred␛[0m ␛]52;c;ZXZpbA==␇ <U+009B>2J back␍space<U+202E>');
  }
});

test('an endless file is stored not at all, and said to be too large', () => {
  const drawer = folder();
  const { status, stderr } = loom(drawer, ['store', '/dev/zero']);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^loom: TOO_LARGE: \/dev\/zero has more than that; one document has at most /),
  ]);
  const { stdout } = spawnSync(
    'sh',
    ['-c', `cat /dev/zero | "${process.execPath}" "${join(bundles, 'cli.cjs')}" store 2>&1`],
    { env: { ...process.env, LOOM_DB: drawer }, encoding: 'utf8' },
  );
  expect(stdout).toMatch(/^loom: TOO_LARGE: What comes on stdin has more than that/);
  const pipe = spawnSync('bash', ['-c', `"${process.execPath}" "${join(bundles, 'cli.cjs')}" store <(echo piped)`], {
    env: { ...process.env, LOOM_DB: drawer },
    encoding: 'utf8',
  });
  expect(pipe.stdout).toMatch(/^d1\t/);
});

test.each(['the folder', 'its files', 'the folder above'])(
  "somebody else's drawer, closed by %s, is called unreadable",
  (what) => {
    const above = folder();
    const drawer = join(above, 'drawer');
    const file = join(folder(), 'a.txt');
    writeFileSync(file, 'a\n');
    chmodSync(folders.at(-1) ?? '', 0o755);
    loom(drawer, ['store', file]);
    const files = readdirSync(drawer).map((name) => join(drawer, name));
    chmodSync(above, 0o755);
    chmodSync(drawer, 0o755);
    for (const path of what === 'its files' ? files : [what === 'the folder' ? drawer : above]) chmodSync(path, 0);
    // Root may read everything: it looks as somebody else.
    const who = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    for (const words of [['sessions'], ['doctor'], ['store', file]]) {
      const { status, stderr } = loom(drawer, words, who);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^loom: DRAWER_UNREADABLE: .* may not read .*LOOM_DB/);
    }
    chmodSync(above, 0o700);
    chmodSync(drawer, 0o700);
    expect(existsSync(drawer)).toBe(true);
  },
);
