/** A process of the storage's bench, told over IPC what to do. */
import { openStore, type Store } from '#storage/store.ts';
import { notes } from '../storage/notes.ts';

let store: Store<typeof notes.operations>;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const commands = {
  open: ({ folder, clientOnly = false }: { folder: string; clientOnly?: boolean }) =>
    timed(async () => {
      store = await openStore({ folder, ...notes, clientOnly, maxBytes: () => 2 ** 30 });
    }),
  /** Writes of 2 KB, one after the other, for so long. */
  write: async ({ writer, ms }: { writer: string; ms: number }) => {
    const latencies: number[] = [];
    const body = new Uint8Array(2_048).fill(7);
    for (const end = performance.now() + ms; performance.now() < end;) {
      const n = latencies.length + 1;
      latencies.push(await timed(() => store.call('add', { writer, n, body }, { deadline: 60_000 })));
    }
    return latencies;
  },
  read: async ({ times }: { times: number }) => {
    const latencies: number[] = [];
    for (let i = 0; i < times; i++) latencies.push(await timed(() => store.call('byId', 1)));
    return latencies;
  },
  fill: async ({ megabytes }: { megabytes: number }) => {
    await store.call('fill', { name: 'bench', count: megabytes * 64, size: 16_384 });
    await store.checkpoint();
  },
  index: ({ count }: { count: number }) => timed(() => store.call('index', { name: `i${count}`, count })),
  checkpoint: () => timed(() => store.checkpoint()),
  health: () => store.health(),
  memory: () => process.memoryUsage().rss,
  close: () => timed(() => store.close()),
};
export type BenchCommands = typeof commands;

process.on('message', async ({ id, command, args }: { id: number; command: keyof BenchCommands; args: never }) => {
  const run = commands[command] as (args: never) => unknown;
  process.send!({ id, value: await run(args) });
});
process.on('disconnect', () => process.exit(0));
