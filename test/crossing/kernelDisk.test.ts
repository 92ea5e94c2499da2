// The disk takes no outputs while cells print: kernels outlive it, and the output says what is not there.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKernel, type Python } from '../kernel/openKernel.ts';

let python: Python;
/** In the place of the folder that outputs go to. */
let inTheWay: string;
beforeEach(async () => {
  python = await openKernel({ backend: 'plain' });
  inTheWay = join(python.drawer, 'executions');
});
afterEach(() => python.close());

const print = (lines: number): string => `for i in range(${lines}): print("line", i)`;

/** What every answer says of the first cell, whose output did not get to the disk but for its end. */
const hasGap = async (): Promise<void> => {
  const gap = /\[lines 1-([\d,]+) could not be written \(EEXIST[^)]*\) and are not kept\]/;
  const whole = await python.ask('read_python_output', { execution: 1 });
  expect(whole).toMatch(/^In \[1\] completed, [^\n]* of 200,000 \| [^\n]* not kept \| complete: no/);
  const [, last = ''] = gap.exec(whole) ?? [];
  const first = Number(last.replaceAll(',', '')) + 1;
  expect(await python.ask('read_python_output', { execution: 1, lines: `${first}-${first}` })).toMatch(
    new RegExp(`complete: yes\nline ${first - 1}$`),
  );
  expect(await python.ask('read_python_output', { execution: 1, lines: '5-6', show_line_numbers: true })).toMatch(gap);
  expect(await python.ask('read_python_output', { execution: 1, lines: '-1:', show_line_numbers: true })).toMatch(
    /complete: yes\n200000 \| line 199999$/,
  );
  const found = await python.ask('search_python_output', { execution: 1, query: 'line 199999' });
  expect(found).toContain('M 200000 | line 199999');
  expect(found).toContain('could not be written');
  expect(found).toContain('complete: no');
  expect(await python.ask('wait_python', { execution: 1 })).toMatch(
    /^In \[1\] completed, .*complete: no\n[^]*could not/,
  );
};

test('a cell whose output cannot be written ends as it would; names stay, and other cells run', async () => {
  writeFileSync(inTheWay, '');
  await python.run(`stays = 41\n${print(200_000)}`);
  await hasGap();
  expect(await python.run('stays + 1')).toMatch(/^In \[2\] completed, .*complete: yes\nOut\[2\]: 42$/);
  rmSync(inTheWay);
  await python.run(print(20_000));
  expect(await python.ask('read_python_output', { execution: 3, lines: '-1:' })).toMatch(/complete: yes\nline 19999$/);
  await python.reload();
  await hasGap();
  expect(await python.ask('read_python_output', { execution: 3, lines: '-1:' })).toMatch(/complete: yes\nline 19999$/);
});

test('an answer about a running cell says what is not on disk', async () => {
  writeFileSync(inTheWay, '');
  const code = `import os, time\n${print(5_000)}\nprint("end", flush=True)\nwhile not os.path.exists("go"): time.sleep(0.05)`;
  await python.run(code, { timeout_seconds: 0.1 });
  const end = /\nend$/;
  let read = '';
  while (!end.test(read)) read = await python.ask('read_python_output', { lines: '-1:' });
  expect(read).toMatch(
    /^In \[1\] running, .* \| not on disk yet, and lost if Loom ends now \(EEXIST[^)]*\) \| complete: no/,
  );
  rmSync(inTheWay);
  expect(await python.ask('read_python_output', { lines: '-1:' })).toMatch(/ of 5,001 \| complete: yes\nend$/);
  writeFileSync(join(python.workspace, 'go'), '');
  expect(await python.ask('wait_python')).toMatch(/^In \[1\] completed, /);
  await python.reload();
  expect(await python.ask('read_python_output', { lines: '-1:' })).toMatch(/ of 5,001 \| complete: yes\nend$/);
});

test.each([
  ['cannot be written', (cache: string) => writeFileSync(cache, '')],
  [
    'is damaged',
    (cache: string) => {
      mkdirSync(cache);
      const { version } = createRequire(import.meta.url)('pyodide/package.json') as { version: string };
      writeFileSync(join(cache, `pyodide-${version}.snapshot`), 'no snapshot');
    },
  ],
])('Pyodide starts where its snapshot %s', async (_, make) => {
  await python.close();
  python = await openKernel({ backend: 'pyodide' });
  make(join(python.drawer, 'cache'));
  expect(await python.run('6 * 7', { timeout_seconds: 200 })).toMatch(/^In \[1\] completed, [^]*42$/);
});

test('a byte of an output that is flipped on disk costs a stretch of lines; the others keep their numbers', async () => {
  await python.run(print(100_000));
  await python.reload();
  const [name = ''] = readdirSync(inTheWay);
  const bytes = readFileSync(join(inTheWay, name));
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(join(inTheWay, name), bytes);
  const whole = await python.ask('read_python_output', { execution: 1 });
  expect(whole).toMatch(/its file is damaged: [\d,]+ bytes of it are lost, and the rest is here/);
  const [, from = '', to = ''] =
    /lines ([\d,]+)-([\d,]+) \([\d,]+ characters\) were lost to damage on disk and are not kept/.exec(whole) ?? [];
  const [first, last] = [from, to].map((text) => Number(text.replaceAll(',', '')));
  expect(last! - first!).toBeLessThan(50_000);
  for (const n of [1, first! - 1, last! + 1, 100_000]) {
    const line = await python.ask('read_python_output', { execution: 1, lines: `${n}-${n}` });
    expect(line).toMatch(new RegExp(`\nline ${n - 1}$`));
  }
});
