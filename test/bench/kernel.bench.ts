// The kernel beside Python's own jupyter_client with ipykernel, in one run on one machine: cold start (to the end of the
// first cell), the round trip of 1+1, a million prints, 50 MB on one line; meanwhile, how late a timer of 20 ms comes on
// the thread that the tools are called from, and how long the drawer takes to answer. LOOM_TEST_PYTHON names a Python with ipykernel; /usr/bin/python3 is tried first.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import type { BackendName } from '#kernel/types.ts';
import { bundles, openLoom } from '../fixtures.ts';

type Figures = { cold: number; trip: number; prints: number; printSize: number; large: number; largeSize: number };

const python = process.env['LOOM_TEST_PYTHON'] ?? '/usr/bin/python3';

/** Milliseconds by which a timer was late, and that the drawer took to answer. */
type Delays = { timer: number[]; drawer: number[] };
const idle: Delays = { timer: [], drawer: [] };
const busy: Delays = { timer: [], drawer: [] };
const watch = ({ timer: slips, drawer: answers }: Delays, ask: () => Promise<unknown>): (() => void) => {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    slips.push(now - last - 20);
    last = now;
    void ask().then(() => answers.push(performance.now() - now));
  }, 20);
  return () => clearInterval(timer);
};

const measure = async (backend: BackendName, folder: string): Promise<Figures> => {
  const drawer = join(folder, 'drawer');
  const loom = openLoom({ programs: bundles, workspace: folder, drawer, log: silentLog });
  const { drawer: sessions, kernel } = loom.services;
  const session = await sessions.session({ client: 'bench', root: folder });
  const choice = { backend, python, cwd: folder };
  const run = async (code: string): Promise<number> => {
    const start = performance.now();
    const { info } = await kernel.run({ session, code, choice, wait: 600_000, units: 7_000 });
    if (info.status !== 'completed') throw new Error(`${code}: ${info.status}`);
    return performance.now() - start;
  };
  const size = async (): Promise<number> =>
    (await kernel.readOutput({ session, stream: 'stdout', units: 2 ** 28 })).text.length;
  const cold = await run('1+1');
  const trips: number[] = [];
  for (let n = 0; n < 100; n++) trips.push(await run('1+1'));
  const ask = () => sessions.session({ client: 'bench', root: folder });
  const calm = watch(idle, ask);
  await delay(1_500);
  calm();
  const stop = watch(busy, ask);
  const prints = await run('for i in range(1_000_000): print(i)');
  stop();
  const printSize = await size();
  const again = watch(busy, ask);
  const large = await run("print('x' * 50_000_000)");
  again();
  const largeSize = await size();
  await loom.end();
  return { cold, trip: trips.toSorted((a, b) => a - b)[50] as number, prints, printSize, large, largeSize };
};

const row = ({ cold, trip, prints, printSize, large, largeSize }: Figures) => ({
  'cold start, ms': Math.round(cold),
  '1+1, ms': trip.toFixed(1),
  'a million prints, s': (prints / 1_000).toFixed(1),
  'characters of them': printSize,
  '50 MB, s': (large / 1_000).toFixed(1),
  'characters of it': largeSize,
});

const table: Record<string, ReturnType<typeof row>> = {};
const named = process.argv[2];
const backends = (['ipython', 'plain', 'ipykernel', 'pyodide'] as const).filter(
  (name) => named === undefined || name === named,
);
for (const backend of backends) {
  const folder = mkdtempSync(join(tmpdir(), 'loom-bench-'));
  // Pyodide's first start leaves the snapshot that every later one begins from.
  if (backend === 'pyodide') table['pyodide, first start'] = row(await measure(backend, folder));
  table[backend] = row(await measure(backend, folder));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
const peer = execFileSync(python, [join(import.meta.dirname, 'peer.py')], { encoding: 'utf8', maxBuffer: 2 ** 20 });
table['jupyter_client with ipykernel'] = row(JSON.parse(peer.trim().split('\n').at(-1) as string) as Figures);
console.table(table);
const spread = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.max(0, sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`;
  return { p50: at(0.5), p99: at(0.99), max: at(1), times: values.length };
};
console.table({
  '20 ms timer late by, nothing running': spread(idle.timer),
  '20 ms timer late by, cells printing': spread(busy.timer),
  'the drawer answers in, nothing running': spread(idle.drawer),
  'the drawer answers in, cells printing': spread(busy.drawer),
});
