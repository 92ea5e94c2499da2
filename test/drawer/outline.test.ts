import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { kindOf } from '#drawer/outline/kind.ts';
import { indexLines } from '#text/lines.ts';
import { outliners } from '#drawer/outline/outliners.ts';
import { templateOf } from '#text/template.ts';
import type { Kind } from '#drawer/types.ts';

const linesOf = (text: string | Buffer) => atOnce(indexLines(Buffer.from(text)));

test.each<[Kind, string, string]>([
  ['json', 'x', '{"a": [1, 2]}'],
  ['json', 'x', '\uFEFF[1, 2, 3]\n'],
  ['log', 'x', '[INFO] no list'],
  ['ndjson', 'x.json', '{"a":1}\n{"a":2}\n'],
  ['log', 'x', '2026-11-29T10:00:00Z one\n2026-11-29T10:00:01Z two\n'],
  ['log', 'x', 'INFO one\nWARN two\n  at x\n'],
  ['log', 'x', 'Nov 29 10:00:00 host sshd[1]: Accepted\n'],
  ['log', 'x', '10.0.0.1 - - [29/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5\n'],
  ['diff', 'x', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'],
  ['csv', 'x', 'a;b;c\n1;2;3\n4;5;6\n'],
  ['csv', 'x', 'a,b\n"x, y",2\n3,4\n'],
  ['plain', 'x', 'Hello, you.\nThis is text.\nNothing, really, more.\n'],
  ['markdown', 'x', '# A\n\ntext\n\n## B\n'],
  ['code', 'x', '#!/bin/sh\necho\n'],
  ['code', 'x', 'import a\nimport b\ndef f():\n    return 1\nclass X:\n'],
  ['code', 'x.rs', 'whatever'],
  ['yaml', 'x', '---\na: 1\n'],
  ['yaml', 'x', 'a: 1\nb:\n  - c\n  - d\ne: 2\n'],
  ['html', 'x', '<!DOCTYPE html>\n<p>x'],
  ['binary', 'x.txt', '\x7fELF\0\0\0'],
  ['plain', 'x', 'hello wor\0ld tail and a good many more words behind it, since one NUL makes no binary of a text'],
  ['plain', 'x', ''],
])('%s: %s %j', (kind, name, text) => {
  expect(kindOf(name, linesOf(text))).toBe(kind);
});

test.each([
  ['2026-11-29T10:00:00.123Z took 12.5 ms', '<time> took <n> ms'],
  ['id=3f2504e0-4f89-41d3-9a0c-0305e82c3301 ok', 'id=<uuid> ok'],
  ['from 10.0.0.5:5432 to db', 'from <ip> to db'],
  ['commit deadbeef12 at 0xff', 'commit <n> at <n>'],
  ['GET /a/7 500 in 3 ms', 'GET /a/<n> 500 in <n> ms'],
  ['"GET / HTTP/1.1" 404 162', '"GET / HTTP/<n>" 404 <n>'],
  ['built on 2026-11-29 in 0 s', 'built on <time> in <n> s'],
  ['0 errors, 12 warnings, 0.5 s', '0 errors, <n> warnings, <n> s'],
  ['done, errors: 0', 'done, errors: 0'],
  ['amd64 v2_1 12ms 0xFF1z', 'amd<n> v<n>_<n> <n>ms <n>'],
  ['facade decade 1234567890 a1b2c3', 'facade decade <n> <n>'],
  ['waited 404 ms', 'waited <n> ms'],
])('template of %s', (line, template) => {
  expect(templateOf(line)).toBe(template);
});

/** Title and entries of an outline, as an anchor shows them. */
const outline = (kind: Kind, text: string, name = 'x'): string[] => {
  const { title, entries } = atOnce(outliners[kind](linesOf(text), name));
  return [title, ...entries.map(({ line, text: entry }) => (line === undefined ? entry : `${line} ${entry}`))];
};

test.each<[string, string[], string[]]>([
  [
    'log',
    outline('log', 'a 1\na 2\n\n  at x\nb\n'),
    [
      '2 message templates, most frequent first; 1 indented line belonging to the message above',
      '×2 (lines 1…2) a <n>',
      '×1 (line 5) b',
    ],
  ],
  [
    'markdown',
    outline('markdown', '# A\n```\n# no\n```\nTitle\n=====\n## B ##\n'),
    ['3 headings', '1 # A', '5 # Title', '7 ## B'],
  ],
  [
    'html',
    outline('html', '<title>T</title>\n<h1>One <b>two</b></h1><h2></h2>\n'),
    ['2 titles and headings', '1 <title> T', '2 <h1> One two'],
  ],
  [
    'json',
    outline('json', '{"id":12345678901234567890,"v":1.10,"list":[{"a":1},{"a":null,"b":"x"}]}'),
    ['shape', '1 $ {id 12345678901234567890, v 1.10, list [2]}', '1 $.list[] ×2 {a number|null, b? string}'],
  ],
  [
    'broken json',
    outline('json', '{"a":1,\n"b":oops}'),
    ['shape; no valid JSON from line 2 on, shapes are of what stands before', '1 $ {a 1}'],
  ],
  [
    'a map',
    outline('json', JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k ${i}`, { v: i }])))),
    [
      'shape',
      '1 $ {"k 0", "k 12", "k 24", "k 49", "k 74", "k 99", "k 124", "k 149", "k 174", "k 199", +290 keys}',
      '1 ${*} ×300 {v number}',
    ],
  ],
  ['ndjson', outline('ndjson', '{"a":1}\n{"a":2}\n'), ['2 values, shape', '1 $ ×2 {a number}']],
  ['deep json', outline('json', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`).slice(0, 2), ['shape', '1 $ [1]']],
  [
    'yaml',
    outline('yaml', 'a: 1\nb:\n  - x: 1\n    y: 2\n  - x: 3\nc: |\n  no: key\n'),
    ['6 keys of the outer levels', '1 a: 1', '2 b: {2 items}', '3 .- x: 1', '4 .y: 2', '5 .- x: 3', '6 c: |'],
  ],
  [
    'csv',
    outline('csv', 'n,s\n1,"a, ""b"""\n2,"two\nlines"\n'),
    ['2 rows of 2 columns, separated by ,', 'n: integer (e.g. 1, 2)', 's: text (e.g. a, "b", two lines)'],
  ],
  [
    'diff',
    outline(
      'diff',
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- gone\n+++ new\n same\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n',
    ),
    ['2 files, +1 −2', '1 x +1 −1 (1 hunk at 3)', '7 y (deleted) +0 −1 (1 hunk at 9)'],
  ],
  [
    'typescript',
    outline(
      'code',
      'export const f = () => {\n  if (x) {\n  const inner = (a) => a;\n}\nclass A extends B {\n',
      'x.ts',
    ),
    ['3 symbols', '1 f()', '3 inner(a) => a;', '5 class A extends B'],
  ],
  [
    'python',
    outline('code', 'class A:\n    def f(self):\nasync def g():\n', 'x.py'),
    ['3 symbols', '1 class A', '2 def f(self)', '3 def g()'],
  ],
  [
    'go',
    outline('code', 'package x\nfunc (s *S) Run() error {\ntype S struct {\n', 'x.go'),
    ['2 symbols', '2 func (s *S) Run() error', '3 type S struct'],
  ],
  [
    'rust',
    outline('code', 'pub(crate) async fn f() {\nimpl X for Y {\nlet a = 1;\n', 'x.rs'),
    ['2 symbols', '1 fn f()', '2 impl X for Y'],
  ],
  [
    'java',
    outline(
      'code',
      'public final class A {\n  private static int f(int a) {\n    return f(1);\n  if (f(a)) {\n',
      'x.java',
    ),
    ['2 symbols', '1 class A', '2 int f(int a)'],
  ],
  [
    'c',
    outline('code', 'static int f(int a) {\n  g(a);\nint g(int);\nstruct s {\n#define X 1\n', 'x.c'),
    ['3 symbols', '1 int f(int a)', '4 struct s', '5 #define X 1'],
  ],
])('outline: %s', (_, shown, expected) => {
  expect(shown).toEqual(expected);
});

test('no line, however long or odd, stops an outline', () => {
  const odd = [
    'x'.repeat(300_000),
    '"'.repeat(100_000),
    ' '.repeat(100_000),
    'a:'.repeat(50_000),
    '<h1>'.repeat(20_000),
    '{"a":'.repeat(50_000),
    '1.'.repeat(100_000),
    'async '.repeat(50_000),
  ];
  for (const kind of Object.keys(outliners) as Kind[])
    for (const line of odd) expect(outline(kind, `${line}\n${line}`)).toBeDefined();
});
