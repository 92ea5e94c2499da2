/*
 * What the drawer costs: `npm run bench drawer [MB of the large log]`. Prints a table; asserts nothing.
 * Stretches are timed one by one: those of the caller (between two yields) and those of the owner (an operation, or a
 * stretch of a job), in the thread's own processor time. `store acknowledged` is by the wall clock.
 */
import { cpus } from 'node:os';
import { silentLog } from '#base/log.ts';
import type { Call, Job, Operation } from '#base/operation.ts';
import { createDrawer } from '#drawer/drawer.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerOperations, type DrawerOperations } from '#drawer/operations.ts';
import { prepare } from '#drawer/store/prepare.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import type { Tx } from '#base/tx.ts';
import { Image } from '#storage/image.ts';
import { serviceLog } from '../drawer/samples.ts';

// eslint-disable-next-line require-yield
function* quarter(text: string): Generator<void, { tokens: number; estimated: boolean }> {
  return { tokens: Math.ceil(text.length / 4), estimated: false };
}

/** What this thread has worked, in milliseconds: other programs on the machine do not count. */
const clock = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

type Times = number[];
const at = (times: Times, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
const ms = (value: number): string => `${value.toFixed(1)} ms`;
const rows: Record<string, string>[] = [];
const print = (what: string, times: Times, more = ''): void => {
  const sum = times.reduce((total, time) => total + time, 0);
  rows.push({
    what,
    total: ms(sum),
    n: String(times.length),
    p50: ms(at(times, 0.5)),
    p95: ms(at(times, 0.95)),
    max: ms(at(times, 1)),
    more,
  });
};

/** Runs a generator to its end and times each stretch. */
const timed = <R>(work: Generator<void, R>, times: Times): R => {
  for (;;) {
    const from = clock();
    const step = work.next();
    times.push(clock() - from);
    if (step.done) return step.value;
  }
};

/** A store in memory, whose operations are timed. */
const memoryStore = async () => {
  const image = await Image.open(undefined, drawerFunctions);
  const tx: Tx = image.tx(() => undefined);
  for (const { up } of drawerMigrations) up(tx);
  const times = new Map<string, Times>();
  const of = (name: string): Times => times.get(name) ?? times.set(name, []).get(name) ?? [];
  const inTransaction = <R>(work: () => R): R => {
    image.run('begin');
    const result = work();
    image.run('commit');
    return result;
  };
  const call = (async (name: keyof DrawerOperations, args: never) => {
    const operation: Operation = drawerOperations[name];
    if (operation.kind !== 'job') {
      const from = clock();
      const result =
        operation.kind === 'write' ? inTransaction(() => operation.run(tx, args)) : operation.run(tx, args);
      of(name).push(clock() - from);
      return result;
    }
    const work = (operation as Job<never, unknown>).run(tx, args);
    for (let count = 0; ; count++) {
      const from = clock();
      const step = inTransaction(() => work.next());
      of(name).push(clock() - from);
      if (step.done) return step.value;
      if (count % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
    }
  }) as Call<DrawerOperations>;
  const imageBytes = (): number => image.export().length;
  const idle = async (): Promise<void> => void (await call('drawer.index', undefined));
  return { call, times, imageBytes, idle };
};

const logOf = (megabytes: number): Buffer => {
  const piece = serviceLog(Math.ceil((megabytes * 1e6) / 79), 7);
  return Buffer.from(piece).subarray(0, megabytes * 1e6);
};

const inputs: [string, Buffer][] = [
  ['4 MB log', logOf(4)],
  [`${process.argv[2] ?? 50} MB log`, logOf(Number(process.argv[2] ?? 50))],
  ['5 MB line', Buffer.from(`# title\n\n${'x'.repeat(5_000_000)} needle\n`)],
  ['ten lines of 2 MB', Buffer.from(`${'0123456789'.repeat(200_000)} needle\n`.repeat(10))],
];

const queries = [
  'charge failed', 'ORD-77121', 'slow query', 'GET', 'POST cart', 'checkout_v2', 'user:7209', 'hit', '10.0.3.196:6379',
  'feature flags switched', 'PaymentError', 'nonsense qwzxv', 'C++', 'orders 200', 'settle.ts', 'INFO http', 'needle',
]; // prettier-ignore

for (const [name, bytes] of inputs) {
  const store = await memoryStore();
  const drawer = createDrawer({ call: store.call, count: quarter, counter: 'quarter', log: silentLog });
  const session = await drawer.session({ client: 'bench', root: '/' });
  const stretches: Times = [];
  const args = { session, bytes, sha256: 'x', title: name, source: { kind: 'text' as const }, budget: undefined };
  timed(
    prepare({ ...args, profile: 'strict', redacted: 0, keep: false, now: 0, count: quarter, counter: 'quarter' }),
    stretches,
  );
  print(`${name}: prepare (anchor, chunks; no tokens)`, stretches);
  const control = { signal: new AbortController().signal, progress: () => undefined };
  const from = performance.now();
  await drawer.store({ session, bytes, title: name, source: { kind: 'text' } }, control);
  const acknowledged = performance.now() - from;
  await store.idle();
  print(`${name}: store acknowledged`, [acknowledged], `indexed after ${ms(performance.now() - from)}`);
  for (const [operation, times] of store.times) print(`${name}: owner, ${operation}`, times);
  store.times.clear();
  const searches: Times = [];
  for (let round = 0; round < 5; round++) {
    for (const query of queries) {
      const start = clock();
      await drawer.search({ session, query, units: 7000 });
      searches.push(clock() - start);
    }
  }
  print(`${name}: search`, searches, `image ${(store.imageBytes() / 1e6).toFixed(1)} MB`);
  for (const [operation, times] of store.times) print(`${name}: owner, ${operation} (search)`, times);
  const gets: Times = [];
  for (let line = 1; line < 200; line++) {
    const start = clock();
    await drawer.get({ session, ids: ['d1'], bytes: [line * 1000, line * 1000 + 9000], units: 7000 });
    gets.push(clock() - start);
  }
  print(`${name}: get 7,000 units`, gets);
}
console.log(
  `${cpus()[0]?.model ?? 'unknown processor'} × ${cpus().length}, Node ${process.version}, peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
);
console.table(rows);
