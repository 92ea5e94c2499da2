import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openKernel, type OpenKernel, type Python } from '../kernel/openKernel.ts';

let python: Python;
afterEach(() => python.close());
const open = async (choice: OpenKernel): Promise<void> => {
  python = await openKernel({ backend: 'plain', ...choice });
};

test('a million prints are complete and in order', async () => {
  await open({});
  const answer = await python.run('for i in range(1_000_000): print(i)', { timeout_seconds: 200 });
  expect(answer).toContain('left out');
  const expected = Array.from({ length: 1_000_000 }, (_, n) => n).join('\n');
  expect((await python.whole()) === expected).toBe(true);
  const found = await python.ask('search_python_output', { query: '^99999\\d$' });
  expect(found).toContain('10 matches (regex) in 10 lines');
  expect(found).toContain('M 999991 | 999990');
}, 240_000);

test('100,000 lines that alternate between stdout and stderr are in exact order', async () => {
  await open({});
  const code = 'import sys\nfor i in range(50_000): print(i); print(i, file=sys.stderr)';
  await python.run(code, { timeout_seconds: 200 });
  const expected = Array.from({ length: 100_000 }, (_, n) => n >> 1).join('\n');
  expect((await python.whole()) === expected).toBe(true);
}, 240_000);

test('fifty megabytes on one line are kept, and shown by pages', async () => {
  await open({});
  await python.run('print("x" * 50_000_000)', { timeout_seconds: 200 });
  expect((await python.whole()).length).toBe(50_000_000);
  const page = await python.ask('read_python_output', { max_chars: 10 });
  expect(page).toMatch(/\nxxxxxxxxxx\.\.\.\[49999990 chars omitted\]$/);
}, 240_000);

test('over the limit of one execution the first and last lines stay, and the gap is stated', async () => {
  await open({ limits: { executionBytes: 200_000 } });
  const answer = await python.run('for i in range(100_000): print("line", i)', { timeout_seconds: 100 });
  expect(answer).toMatch(/\[lines [\d,]+-[\d,]+ were over the limit and are not kept\]/);
  const check = async (): Promise<void> => {
    expect(await python.ask('read_python_output', { lines: '1-2' })).toMatch(/\nline 0\nline 1$/);
    expect(await python.ask('read_python_output', { lines: '-2:' })).toMatch(/\nline 99998\nline 99999$/);
    const middle = await python.ask('read_python_output', { lines: '50000' });
    expect(middle).toMatch(/ \| lines [\d,]+-[\d,]+ \([\d,]+ characters\) are not kept \| /);
    expect(await python.ask('search_python_output', { query: 'line 99999' })).toContain('M 100000 | line 99999');
  };
  await check();
  await python.reload();
  await check();
});

test('over the limit of all files the oldest outputs go, and say so', async () => {
  await open({ limits: { folderBytes: 300_000 } });
  for (const n of [1, 2, 3]) await python.run(`for i in range(10_000): print(${n}, "line", i)`);
  await python.reload();
  expect(await python.ask('read_python_output', { execution: 1 })).toMatch(/^Error OUTPUT_GONE .*was removed on 20/);
  expect(await python.ask('read_python_output', { execution: 3, lines: '-1:' })).toMatch(/\n3 line 9999$/);
});

test('an output on disk is not readable without the drawer', async () => {
  await open({});
  await python.run('for i in range(20_000): print("secret", i)');
  const folder = join(python.drawer, 'executions');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const bytes = readFileSync(join(folder, file));
  expect(bytes.length).toBeGreaterThan(200_000);
  expect(bytes.includes('secret')).toBe(false);
});

test('a pattern that backtracks without end is stopped', async () => {
  await open({});
  await python.run('print("a" * 60 + "!")');
  const answer = await python.ask('search_python_output', { query: '^(a+)+$' });
  expect(answer).toMatch(/^Error INVALID_QUERY .*was stopped/);
  expect(await python.run('1 + 1')).toContain(': 2');
});

test('secrets are masked as output is recorded: in streams, results, errors, and in what was written raw', async () => {
  await open({});
  const secret = 'Xk29vTq8LmZ0pw';
  const code = `print("password=${secret}"); print("fine"); raise ValueError("token: ${secret}")`;
  for (const answer of [await python.run(code), await python.ask('read_python_output', { raw: true })]) {
    expect(answer).toContain('password=‹redacted:password:14›');
    expect(answer).toContain('fine');
    // The code of the cell stands in its traceback.
    expect(answer).not.toContain(secret);
  }
});

const writes = (...pieces: [stream: 'out' | 'err', text: string][]): string =>
  [
    'import sys',
    ...pieces.flatMap(([stream, text]) => [
      `sys.std${stream}.write(${JSON.stringify(text)})`,
      `sys.std${stream}.flush()`,
    ]),
  ].join('\n');

test.each([
  ['a value in two writes', writes(['out', 'password=Xk29vT'], ['out', 'q8LmZ0pw\nfine\n'])],
  ['a name and its value', writes(['err', '{"client_secret": '], ['err', '"Xk29vTq8LmZ0pw"}\nfine\n'])],
  ['with the other stream between', writes(['out', 'token=Xk29vT'], ['err', 'fine\n'], ['out', 'q8LmZ0pw\n'])],
  ['at an end without a line end', writes(['out', 'fine\n'], ['out', 'redis://:Xk29vTq'], ['out', '8LmZ0pw@cache'])],
  ['before an error', `${writes(['out', 'fine password=Xk29vT'], ['out', 'q8LmZ0pw'])}\nraise ValueError("wrong")`],
  ['as Python ends', `${writes(['out', 'fine password=Xk29vT'], ['out', 'q8LmZ0pw'])}\nimport os; os._exit(3)`],
  [
    'from a child',
    'import subprocess\nsubprocess.run("printf password=Xk29vT; printf q8LmZ0pw; printf fine", shell=True)',
  ],
  [
    'in a display of data',
    'class Data:\n  def _repr_json_(self): return {"x": [{"api_key": "Xk29vTq8LmZ0pw"}]}\n  def __repr__(self): return "fine password: Xk29vTq8LmZ0pw"\nData()',
  ],
])('a secret is masked however it comes: %s', async (_, code) => {
  await open({});
  for (const answer of [await python.run(code), await python.ask('read_python_output', { raw: true })]) {
    expect(answer).toMatch(/‹redacted:[a-z]+:\d+›/);
    expect(answer).toContain('fine');
    for (const piece of ['Xk29vT', 'q8LmZ0pw'])
      expect(answer.replaceAll(/.*(?:sys\.std|printf).*/g, '')).not.toContain(piece);
  }
});

test('a line that is not at its end is shown while its cell runs', async () => {
  await open({});
  await python.run('import time\nprint("working", end="", flush=True)\ntime.sleep(60)', { timeout_seconds: 0.1 });
  await expect.poll(() => python.ask('read_python_output', {}), { timeout: 20_000 }).toMatch(/\nworking$/);
});
