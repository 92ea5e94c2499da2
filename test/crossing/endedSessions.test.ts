// A session ends, purged by somebody or expired by itself: every room hears of it, and nothing of it is left on disk.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLoom, type TestClient, type TestLoom } from '../fixtures.ts';

let loom: TestLoom;
let agent: TestClient;
beforeEach(async () => {
  loom = openLoom({ interpreter: { backend: 'plain' } });
  agent = await loom.connect('all');
  writeFileSync(join(loom.workspace, 'big.log'), 'a line with a quetzalcoatl in it\n'.repeat(4_000));
  await agent.ask('ctx_store_file', { path: 'big.log' });
  await agent.ask('run_python', { code: 'for i in range(20_000): print("xochipilli", i)', timeout_seconds: 60 });
  await agent.ask('run_python', { code: 'print("small tlaloc")', timeout_seconds: 60 });
});
afterEach(() => loom.close());

const outputs = (): string[] => readdirSync(join(loom.drawer, 'executions'));

/** What each room still answers for the ended session. */
const nothingIsLeft = async (): Promise<void> => {
  for (const execution of [1, 2]) {
    expect(await agent.ask('read_python_output', { execution })).toMatch(/^Error EXECUTION_NOT_FOUND /);
    expect(await agent.ask('python_execution_status', { execution })).toMatch(/^Error /);
  }
  expect(await agent.ask('loom_search', { query: 'xochipilli' })).not.toContain('xochipilli 1');
  expect(await agent.ask('search_python_output', { query: 'tlaloc' })).toMatch(/^Error /);
  expect(await agent.ask('ctx_get', { id: 'd1' })).toMatch(/^Error NOT_FOUND /);
  expect((await loom.services.kernel.executions({ offset: 0, limit: 9 })).rows).toEqual([]);
  expect(outputs()).toEqual([]);
};

test('purge × kernel: outputs go with their session, also those of the kernel that runs, which goes on', async () => {
  expect(outputs()).toHaveLength(1);
  expect(await agent.ask('ctx_purge_session', { confirm: true })).toMatch(/^Purged 1 session .*Nothing of them/s);
  await nothingIsLeft();
  // Its names are there, and numbers are never used again.
  expect(await agent.ask('run_python', { code: 'i + 1', timeout_seconds: 60 })).toMatch(
    /^In \[3\] completed, [^]*20000/,
  );
  expect(await agent.ask('read_python_output', { execution: 1 })).toMatch(
    /^Error EXECUTION_NOT_FOUND .*was purged with its session/,
  );
});

test('purge × running cell: what it puts out from then on is nowhere kept, and it ends as it would', async () => {
  const code =
    'import os, time\nprint("begun", flush=True)\nwhile not os.path.exists("go"): time.sleep(0.05)\nprint("late tezcat")';
  await agent.ask('run_python', { code, timeout_seconds: 0.2 });
  await agent.ask('ctx_purge_session', { confirm: true });
  writeFileSync(join(loom.workspace, 'go'), '');
  await expect
    .poll(async () => agent.ask('run_python', { code: '40 + 2', timeout_seconds: 60 }), { timeout: 60_000 })
    .toMatch(/^In \[\d+\] completed, /);
  expect(await agent.ask('read_python_output', { execution: 3 })).toMatch(
    /^Error EXECUTION_NOT_FOUND .*was purged with its session/,
  );
});

test('expiry × every room: what nobody used for long goes as a purge takes it', async () => {
  loom.set({ 'drawer.ttlDays': 0.000_000_01 });
  await loom.services.drawer.purge({ own: '', confirm: true });
  await nothingIsLeft();
});

test('nothing of it is left in any file beside the audit', async () => {
  await agent.ask('ctx_purge_session', { confirm: true });
  await loom.end();
  for (const file of readdirSync(loom.drawer, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.parentPath.endsWith('audit')) continue;
    const content = readFileSync(join(file.parentPath, file.name), 'latin1');
    expect(/quetzalcoatl|xochipilli|tlaloc/.test(content), file.name).toBe(false);
  }
});
