// How long the extension host's thread is held while the engine stores a 50 MB log: a timer of 20 ms on the thread that
// runs the HTTP host, the client and the worker's messages, and how late it comes. On a machine that does other work too the
// lateness is mostly theirs: `worked` is what this thread itself did between two ticks, by its own processor time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#base/log.ts';
import { bundles, clientOfHost, openLoom } from '../fixtures.ts';

const megabytes = Number(process.argv[2] ?? 50);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-bench-')));
execFileSync(process.execPath, [
  join(import.meta.dirname, 'writeLog.ts'),
  join(folder, 'big.log'),
  String(megabytes * 2 ** 20),
]);
const loom = openLoom({ programs: bundles, workspace: folder, drawer: join(folder, 'drawer'), log: silentLog });
const { client, close } = await clientOfHost(await loom.host());
await client.callTool({ name: 'ctx_health', arguments: {} });

/** Processor time of this thread, in milliseconds. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const late: number[] = [];
const worked: number[] = [];
let last = performance.now();
let lastCpu = cpu();
const timer = setInterval(() => {
  const [now, nowCpu] = [performance.now(), cpu()];
  late.push(now - last - 20);
  worked.push(nowCpu - lastCpu);
  [last, lastCpu] = [now, nowCpu];
}, 20);
const start = performance.now();
const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args }, undefined, { timeout: 600_000 });
await call('ctx_store_file', { path: 'big.log' });
const stored = performance.now() - start;
await call('ctx_search', { query: 'connection refused worker' });
const searched = performance.now() - start - stored;
clearInterval(timer);
const row = (times: number[]): Record<string, string | number> => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.max(0, sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`;
  return { p50: at(0.5), p99: at(0.99), max: at(1), ticks: times.length };
};
console.table({
  [`store ${megabytes} MB`]: { seconds: (stored / 1000).toFixed(1) },
  'first search after it': { seconds: (searched / 1000).toFixed(1) },
});
console.table({ '20 ms timer late by': row(late), 'worked between two ticks': row(worked) });
await close();
await loom.end();
rmSync(folder, { recursive: true, force: true });
