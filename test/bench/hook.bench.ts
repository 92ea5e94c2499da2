// What the archive costs at a tool call: the process that VS Code starts for a hook (media/agent/archive/hooks.json), from its
// start to its end, with the result of a terminal on its stdin. VS Code does not wait for it after a call, but does before a
// prompt. Beside it what no hook can do without: the shell that VS Code runs it in, and Node's own start.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const runs = Number(process.argv[2] ?? 41);
const { hooks } = JSON.parse(readFileSync(join(root, 'media/agent/archive/hooks.json'), 'utf8')) as {
  hooks: Record<string, { command: string }[]>;
};
const command = hooks['PostToolUse']?.[0]?.command ?? '';
const input = JSON.stringify({ hook_event_name: 'PostToolUse', tool_response: 'a line of a result\n'.repeat(3_200) });

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as AddressInfo;
const present = {
  LOOM_HOOK_NODE: process.execPath,
  LOOM_HOOK: join(root, 'dist/hook.cjs'),
  LOOM_ARCHIVE: `${port} token`,
};

const once = (run: string, env: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(run, { shell: true, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env } });
    child.on('error', reject);
    child.on('close', () => resolve(performance.now() - start));
    child.stdin.end(input);
  });

const cases: [string, string, Record<string, string>][] = [
  ['a shell that does nothing', 'cat >/dev/null', {}],
  ['the hook, Loom gone', command, { LOOM_ARCHIVE: '' }],
  ['Node that does nothing', '"$LOOM_HOOK_NODE" -e 0; cat >/dev/null', present],
  ['the hook, 61 KB handed over', command, present],
];
const times = new Map(cases.map(([name]) => [name, [] as number[]]));
// In turn, so that whatever else the machine does falls on all of them.
for (let n = 0; n < runs; n++) for (const [name, run, env] of cases) times.get(name)?.push(await once(run, env));
const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
console.log('ms, of one process        median    p90');
for (const [name, taken] of times) {
  const sorted = taken.toSorted((a, b) => a - b);
  console.log(`${name.padEnd(28)} ${at(sorted, 0.5).padStart(6)} ${at(sorted, 0.9).padStart(6)}`);
}
server.close();
