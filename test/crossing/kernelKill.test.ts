// A kernel's program is killed while a cell runs: what was answered before is read after.
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lives, until } from '../kernel/behaviour.ts';
import { spawnLoom } from '../kernel/spawnLoom.ts';

const scratch = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-crossing-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

const opened = async (folder: string): Promise<Awaited<ReturnType<typeof spawnLoom>>> => {
  const loom = await spawnLoom(folder);
  onTestFinished(() => loom.close());
  return loom;
};

const killed = async ({ pid }: Awaited<ReturnType<typeof spawnLoom>>): Promise<void> => {
  process.kill(pid, 'SIGKILL');
  await until('its end', () => !lives(pid));
};

/** Runs a cell that prints and then sleeps, until its last line was answered. */
const printed = async (loom: Awaited<ReturnType<typeof spawnLoom>>, lines: number): Promise<void> => {
  const code = `for i in range(${lines}): print("line", i)\nprint("the last", flush=True)\nimport time; time.sleep(600)`;
  await loom.ask('run_python', { code, timeout_seconds: 0.5 });
  await until('the last line', async () =>
    (await loom.ask('read_python_output', { lines: '-1:' })).endsWith('\nthe last'),
  );
};

const lost = 'the process that ran it ended; what it had not yet written is lost';

test.each([
  ['some that fit into a record', 3],
  ['as many as need a file', 20_000],
])('lines that were answered outlive the program that ran the cell: %s', async (_, lines) => {
  const folder = scratch();
  const first = await opened(folder);
  await printed(first, lines);
  await killed(first);
  const then = await opened(folder);
  const end = await then.ask('read_python_output', { execution: 1, lines: '-2:' });
  expect(end).toMatch(/^In \[1\] killed, combined \| lines \d+-\d+ of [\d,]+ \| /);
  expect(end).toContain(`${lost} | complete: no`);
  expect(end).toContain(`\nline ${lines - 1}\nthe last`);
  const found = await then.ask('search_python_output', { execution: 1, query: `line ${lines - 1}$` });
  expect(found).toContain(`M ${lines} | line ${lines - 1}`);
  expect(found).toContain('complete: no');
  const waited = await then.ask('wait_python', { execution: 1 });
  expect(waited).toMatch(/^In \[1\] killed, .*complete: no\n/);
  expect(waited).toContain(lost);
  expect(await then.ask('python_execution_status', { execution: 1 })).toMatch(
    new RegExp(`^output_lines: ${(lines + 1).toLocaleString('en')}$`, 'm'),
  );
});

test('a file that no record names is collected; those of cells stay, also of one that runs in another window', async () => {
  const folder = scratch();
  const outputs = join(folder, 'drawer', 'executions');
  const first = await opened(folder);
  await first.ask('run_python', { code: 'for i in range(20_000): print("ended", i)', timeout_seconds: 60 });
  await printed(first, 20_000);
  writeFileSync(join(outputs, 'nobody-7.output'), 'left');
  const second = await opened(folder);
  expect(await second.ask('python_status')).toContain('kernel: not started');
  await until('the collection', () => !existsSync(join(outputs, 'nobody-7.output')));
  expect(readdirSync(outputs)).toHaveLength(2);
  expect(await second.ask('read_python_output', { execution: 1, lines: '-1:' })).toMatch(
    / \| complete: yes\nended 19999$/,
  );
  const running = await second.ask('read_python_output', { execution: 2, lines: '-1:' });
  expect(running).toMatch(
    /^In \[2\] running, .* \| runs in another Loom process \(\d+\)[^|]* \| complete: no\nthe last/,
  );
  await killed(first);
  expect(await second.ask('read_python_output', { execution: 2, lines: '-1:' })).toMatch(/^In \[2\] killed, /);
});
