import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog, type Log } from '#base/log.ts';
import { read, write, type Call } from '#base/operation.ts';
import type { CallControl } from '#base/rpc.ts';
import type { Tx } from '#base/tx.ts';
import type { Run } from '#drawer/store/command.ts';
import { createDrawer, type DrawerDeps } from '#drawer/drawer.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { drawerOperations, uncappedOperations, type DrawerOperations } from '#drawer/operations.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import { defaultPolicy, type DrawerPolicy } from '#drawer/policy.ts';
import type { DrawerService, StoreArgs, Stored } from '#drawer/types.ts';
import { openStore, type Store } from '#storage/store.ts';

export const control = (signal = new AbortController().signal): CallControl => ({
  signal,
  progress: () => undefined,
});

/** Stands in for a tokenizer: four characters to a token. */
// eslint-disable-next-line require-yield
export function* quarter(text: string): Generator<void, { tokens: number; estimated: boolean }> {
  return { tokens: Math.ceil(text.length / 4), estimated: false };
}

export type Rig = {
  drawer: DrawerService;
  store: Omit<Store<DrawerOperations>, 'seal' | 'exportTo'>;
  session: string;
  /** Stores text (or bytes) under the rig's session and keeps it whatever its size. */
  put: (content: string | Uint8Array, more?: Partial<StoreArgs>) => Promise<Stored>;
  /** What stands in the drawer's tables, for what no tool shows. */
  rows: (sql: string) => Promise<unknown[]>;
  /** Runs one statement on them. */
  change: (sql: string) => Promise<unknown>;
  /** Waits for what is done in the background. */
  until: (reached: () => Promise<boolean>) => Promise<void>;
  /** The drawer's folder. */
  folder: string;
  /** Lets so many days pass. */
  later: (days: number) => void;
  /** Lets the index jobs end. */
  indexed: () => Promise<void>;
};

type RigOptions = {
  folder?: string;
  /** Stands between the drawer and its store. */
  wrap?: (call: Call<DrawerOperations>) => Call<DrawerOperations>;
  /** No index at all: every search has to read. */
  unindexed?: boolean;
  log?: Log;
  bill?: DrawerDeps['bill'];
  /** Milliseconds since 1970 at the first call. */
  clock?: number;
  /** The client whose session is the rig's. */
  client?: string;
  policy?: Partial<DrawerPolicy>;
  /** What stands in for commands. */
  run?: Run;
  /** Where the cleaning up goes; the end of the test unless said. */
  atEnd?: (clean: () => unknown) => void;
};

const atTestEnd = (clean: () => unknown): void => onTestFinished(async () => void (await clean()));

export const scratch = (atEnd = atTestEnd): string => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-drawer-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  return folder;
};

const testOperations = {
  'test.rows': read((tx: Tx, sql: string) => tx.all<unknown>(sql)),
  'test.change': write((tx: Tx, sql: string) => tx.run(sql)),
};

/** A drawer on a store of its own in a scratch folder. */
export const rig = async (options: RigOptions = {}): Promise<Rig> => {
  const { atEnd = atTestEnd, folder = scratch(atEnd), unindexed = false, log = silentLog } = options;
  const { wrap = (call) => call, bill } = options;
  const policy = { ...defaultPolicy, ...options.policy };
  const store = await openStore({
    folder,
    operations: { ...drawerOperations, ...testOperations },
    migrations: [{ room: 'drawer', migrations: drawerMigrations }],
    functions: drawerFunctions,
    maxBytes: () => policy.maxSizeMB * 2 ** 20,
    uncapped: uncappedOperations,
  });
  atEnd(() => store.close());
  const testing = store.call as Call<typeof testOperations>;
  const operate = store.call as Call<DrawerOperations>;
  const jobs: Promise<unknown>[] = [];
  const wrapped = wrap(operate);
  const call = ((name, args, more) => {
    if (name !== 'drawer.index') return wrapped(name, args, more);
    if (unindexed) return Promise.resolve({ chunks: 0 });
    const running = wrapped(name, args, more);
    jobs.push(running.catch(() => undefined));
    return running;
  }) as Call<DrawerOperations>;
  let { clock = 1_700_000_000_000 } = options;
  const drawer = createDrawer({
    call,
    count: quarter,
    counter: 'quarter',
    log,
    policy: () => policy,
    size: store.health,
    forgetOld: () => store.checkpoint({ alone: true }),
    compact: store.compact,
    now: () => clock++,
    ...(bill && { bill }),
    ...(options.run && { run: options.run }),
  });
  const session = await drawer.session({ client: options.client ?? 'test', root: '/project' });
  return {
    drawer,
    store: { ...store, call: operate },
    session,
    put: (content, more) =>
      drawer.store({ session, bytes: Buffer.from(content), source: { kind: 'text' }, keep: true, ...more }, control()),
    change: (sql) => testing('test.change', sql),
    until: async (reached) => {
      while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    folder,
    later: (days) => {
      clock += days * 86_400_000;
    },
    rows: (sql) => testing('test.rows', sql),
    indexed: async () => {
      for (let done = 0; done < jobs.length;) {
        done = jobs.length;
        await Promise.all(jobs);
      }
    },
  };
};
