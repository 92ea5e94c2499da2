// How `loom serve` bears its clients: 50 of them with 200 calls each; 10,000 sessions that are opened and left; and (not
// measured but counted) 20,000 malformed requests. The server is a process of its own, without a rate limit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { abandon, load } from '../clients/load.ts';
import { fuzz } from '../clients/fuzz.ts';

const [clients = 50, calls = 200, left = 10_000, malformed = 20_000] = process.argv.slice(2).map(Number);
const token = 'the-token-of-this-bench';
const folder = mkdtempSync(join(tmpdir(), 'loom-load-'));
const program = join(import.meta.dirname, '../../dist/cli.cjs');
const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
  cwd: folder,
  env: {
    ...process.env,
    LOOM_DB: join(folder, 'drawer'),
    LOOM_RATE_LIMIT: '0',
    LOOM_TOKEN: token,
    LOOM_LOG_LEVEL: 'ERROR',
  },
  stdio: ['ignore', 'ignore', 'pipe'],
});
const said: string[] = [];
const lines = createInterface({ input: child.stderr });
lines.on('line', (line) => said.push(line));
await once(lines, 'line');
const url = new URL(/http:\S+\/mcp/.exec(said[0] ?? '')?.[0] ?? '');
const server = { url: url.href, headers: { authorization: `Bearer ${token}` } };

/** Resident memory of the server in MiB; undefined where the system does not tell it. */
const memory = (): string => {
  if (process.platform !== 'linux') return 'not measured';
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return `${Math.round(Number(kilobytes) / 1024)} MiB`;
};

const { answered, lost, times, seconds } = await load(server, clients, calls);
const at = (share: number): string => `${(times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)} ms`;
console.table({
  [`${clients} clients × ${calls} calls`]: {
    answered,
    lost: lost.length,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    'calls/s': Math.round(answered / seconds),
    memory: memory(),
  },
});

const growth: Record<string, { memory: string }> = {};
for (let n = 0; n < left; n += 50) {
  if (n % (left / 5) === 0) growth[`${n} sessions left`] = { memory: memory() };
  await Promise.all(Array.from({ length: 50 }, () => abandon(server)));
}
growth[`${left} sessions left`] = { memory: memory() };
console.table(growth);

const session = await abandon(server);
const statuses: Record<string, number> = {};
const start = performance.now();
let leaks = 0;
await fuzz(
  { host: url.hostname, port: Number(url.port), token, session },
  20_000_000,
  malformed,
  ({ status, headers, text }) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if ((JSON.stringify(headers) + text).includes(token)) leaks++;
  },
);
console.table({
  [`${malformed} malformed`]: {
    ...statuses,
    leaks,
    seconds: ((performance.now() - start) / 1000).toFixed(1),
    memory: memory(),
  },
});
child.kill('SIGTERM');
const [code] = (await once(child, 'exit')) as [number | null];
console.log(`the server ended with ${code}; it said ${said.length} lines`);
rmSync(folder, { recursive: true, force: true });
