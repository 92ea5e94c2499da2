/**
 * `npm run bench storage`: what the storage costs, beside a bare append with fdatasync and node:sqlite in WAL mode in
 * the same run. Prints tables; nothing is asserted.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BenchCommands } from './storageProgram.ts';

class Peer {
  readonly #process: ChildProcess = fork(join(import.meta.dirname, 'storageProgram.ts'), [], {
    serialization: 'advanced',
  });
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #last = 0;
  constructor() {
    this.#process.on('message', ({ id, value }: { id: number; value: unknown }) => this.#waiting.get(id)?.(value));
  }
  tell<N extends keyof BenchCommands>(
    command: N,
    args?: Parameters<BenchCommands[N]>[0],
  ): Promise<Awaited<ReturnType<BenchCommands[N]>>> {
    return new Promise((resolve) => {
      this.#waiting.set(++this.#last, resolve as (value: unknown) => void);
      this.#process.send({ id: this.#last, command, args });
    });
  }
  kill(): void {
    this.#process.kill('SIGKILL');
  }
}

const folders: string[] = [];
const fresh = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'loom-bench-')));
  return folders.at(-1)!;
};

type Row = Record<string, string | number>;
const ms = (n: number): number => Number(n.toFixed(n < 10 ? 2 : 0));
const spread = (values: readonly number[]): { p50: number; p95: number; max: number } => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    ms(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
};

const length = 3_000;
const payload = new Uint8Array(2_048).fill(7);
const repeat = (work: () => void): number[] => {
  const latencies: number[] = [];
  for (const end = performance.now() + length; performance.now() < end;) {
    const start = performance.now();
    work();
    latencies.push(performance.now() - start);
  }
  return latencies;
};

const rawAppend = (): number[] => {
  const file = openSync(join(fresh(), 'raw'), 'w');
  const latencies = repeat(() => {
    writeSync(file, payload);
    fdatasyncSync(file);
  });
  closeSync(file);
  return latencies;
};

const nodeSqlite = (): number[] => {
  const database = new DatabaseSync(join(fresh(), 'wal.sqlite'));
  database.exec('pragma journal_mode=wal; pragma synchronous=full');
  database.exec('create table note (id integer primary key, writer text, n integer, body blob)');
  const insert = database.prepare('insert into note (writer, n, body) values (?, ?, ?)');
  let n = 0;
  const latencies = repeat(() => void insert.run('w', ++n, payload));
  database.close();
  return latencies;
};

const commits = async (): Promise<void> => {
  const folder = fresh();
  const peers = Array.from({ length: 5 }, () => new Peer());
  for (const peer of peers) await peer.tell('open', { folder });
  const [owner, ...clients] = peers;
  const write = async (writers: readonly Peer[], name: string): Promise<number[]> =>
    (await Promise.all(writers.map((peer, i) => peer.tell('write', { writer: `${name}${i}`, ms: length })))).flat();
  const measured: [string, number[]][] = [
    ['append + fdatasync', rawAppend()],
    ['node:sqlite, WAL, synchronous=full', nodeSqlite()],
    ['the owner itself', await write([owner!], 'o')],
    ['one client', await write(clients.slice(0, 1), 'a')],
    ['four clients', await write(clients, 'b')],
    ['append + fdatasync, again', rawAppend()],
  ];
  const bare = spread(measured[0]![1]).p50;
  const rows = measured.map(([what, latencies]): Row => {
    const { p50, p95, max } = spread(latencies);
    return {
      what,
      p50,
      p95,
      max,
      'per second': Math.round(latencies.length / (length / 1000)),
      'p50 / append': ms(p50 / bare),
    };
  });
  print('A commit of 2 KB, in ms', rows);
  const reads: Row[] = [];
  for (const [what, peer] of [
    ['the owner itself', owner!],
    ['a client', clients[0]!],
  ] as const)
    reads.push({ what, ...spread(await peer.tell('read', { times: 2_000 })) });
  print('A read of 2 KB, in ms', reads);
  for (const peer of peers) peer.kill();
};

const openings = async (): Promise<void> => {
  const rows: Row[] = [];
  for (const megabytes of [50, 200]) {
    const folder = fresh();
    const writer = new Peer();
    await writer.tell('open', { folder });
    await writer.tell('fill', { megabytes });
    const checkpoint = await writer.tell('checkpoint');
    await writer.tell('close');
    writer.kill();
    const snapshot = readdirSync(folder)
      .filter((name) => name.endsWith('.sqlite'))
      .at(-1)!;
    const size = statSync(join(folder, snapshot)).size;
    const times: number[] = [];
    let memory = 0;
    for (let i = 0; i < 3; i++) {
      const peer = new Peer();
      times.push(await peer.tell('open', { folder }));
      memory = await peer.tell('memory');
      await peer.tell('close');
      peer.kill();
    }
    const { p50, max } = spread(times);
    rows.push({
      what: `${Math.round(size / 2 ** 20)} MB`,
      p50,
      max,
      checkpoint: ms(checkpoint),
      'owner, MB of memory': Math.round(memory / 2 ** 20),
    });
  }
  print('Opening as the owner, in ms', rows);
};

const failovers = async (): Promise<void> => {
  const folder = fresh();
  let owner = new Peer();
  await owner.tell('open', { folder });
  await owner.tell('fill', { megabytes: 50 });
  const client = new Peer();
  await client.tell('open', { folder, clientOnly: true });
  const stalls = { killed: [] as number[], closed: [] as number[] };
  for (let round = 0; round < 10; round++) {
    const next = new Peer();
    await next.tell('open', { folder });
    await next.tell('write', { writer: `f${round}`, ms: 500 });
    const kind = round % 2 === 0 ? 'killed' : 'closed';
    if (kind === 'killed') owner.kill();
    else void owner.tell('close');
    stalls[kind].push(...(await client.tell('read', { times: 1 })));
    owner.kill();
    owner = next;
  }
  for (const peer of [owner, client]) peer.kill();
  print(
    'A waiting client when the owner of 50 MB is gone, in ms',
    Object.entries(stalls).map(([what, latencies]) => ({ what, ...spread(latencies) })),
  );
};

const duringJob = async (): Promise<void> => {
  const folder = fresh();
  const [owner, busy, other] = [new Peer(), new Peer(), new Peer()];
  for (const peer of [owner, busy, other]) await peer.tell('open', { folder });
  await other.tell('write', { writer: 'first', ms: 50 });
  let running = true;
  const job = busy.tell('index', { count: 4_000 }).finally(() => (running = false));
  const latencies = { writes: [] as number[], reads: [] as number[] };
  for (let i = 0; running; i++) {
    latencies.writes.push(...(await other.tell('write', { writer: `w${i}`, ms: 1 })));
    latencies.reads.push(...(await other.tell('read', { times: 1 })));
  }
  const seconds = (await job) / 1000;
  const { longestTurn } = await owner.tell('health');
  print(
    `Others while 4,000 texts of 600 words are indexed (${seconds.toFixed(1)} s), in ms; the longest turn of the owner ${ms(longestTurn)}`,
    Object.entries(latencies).map(([what, values]) => ({ what, ...spread(values), calls: values.length })),
  );
  for (const peer of [owner, busy, other]) peer.kill();
};

const print = (title: string, rows: readonly Row[]): void => {
  console.log(`\n${title}`);
  console.table(rows);
};

console.log(
  `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Node ${process.version}`,
);
await commits();
await openings();
await failovers();
await duringJob();
for (const folder of folders) rmSync(folder, { recursive: true, force: true });
process.exit(0);
