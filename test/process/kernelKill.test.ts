import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lives, until } from '../kernel/behaviour.ts';
import { spawnLoom } from '../kernel/spawnLoom.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-kill-')));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Processes of the kernel's group: its own, its children, its watchdog. */
const groupOf = (pid: number): number[] =>
  execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, group]) => group === pid)
    .map(([one]) => one as number);

test.each([
  ['idle', ''],
  ['computing in C, which holds the lock of Python', 'sum(range(10**12))'],
  ['waiting for a child', 'child.wait()'],
])('a killed host takes its kernel and its children with it: %s', async (_, rest) => {
  const loom = await spawnLoom(folder);
  const code = `import os, subprocess\nchild = subprocess.Popen(["sleep", "600"])\nprint(os.getpid(), child.pid, flush=True)\n${rest}`;
  await loom.ask('run_python', { code, timeout_seconds: 5 });
  let pids: number[] = [];
  await until('both processes', async () => {
    pids =
      /(\d+) (\d+)$/
        .exec(await loom.ask('read_python_output'))
        ?.slice(1)
        .map(Number) ?? [];
    return pids.length === 2;
  });
  const group = groupOf(pids[0] as number);
  expect(group).toEqual(expect.arrayContaining(pids));
  process.kill(loom.pid, 'SIGKILL');
  await until('the end of the group', () => !group.some(lives));
  await loom.close();
});

test('after it the cell that ran is told as killed, and numbers go on', async () => {
  const loom = await spawnLoom(folder);
  const status = await loom.ask('python_execution_status', { execution: 3 });
  expect(status).toMatch(/^In \[3\] killed, [^]*\ncause: the Loom process that ran it ended$/);
  expect(await loom.ask('run_python', { code: '1 + 1', timeout_seconds: 30 })).toMatch(/^In \[4\] completed, /);
  await loom.close();
});

test('a host that ends in order leaves nothing behind', async () => {
  const loom = await spawnLoom(folder);
  const code =
    'import os, subprocess\nchild = subprocess.Popen(["sleep", "600"])\nprint(os.getpid(), flush=True)\nchild.wait()';
  await loom.ask('run_python', { code, timeout_seconds: 1 });
  let group: number[] = [];
  await until('the kernel', async () => {
    const pid = /\n(\d+)$/m.exec(await loom.ask('read_python_output'))?.[1];
    group = pid === undefined ? [] : groupOf(Number(pid));
    return group.length >= 2;
  });
  await loom.close();
  await until('the end of the group', () => !group.some(lives));
});
