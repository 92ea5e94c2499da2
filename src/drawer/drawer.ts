import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import type { Log } from '#base/log.ts';
import { counted } from '#base/text.ts';
import type { CallControl } from '#base/rpc.ts';
import { abortable } from './abortable.ts';
import type { Count } from '#drawer/anchor/anchor.ts';
import { createBrowser } from './browse.ts';
import { checkFacts } from '#drawer/search/facts.ts';
import { storeCommand, type Run } from '#drawer/store/command.ts';
import { readChosenFile, storeFiles } from '#drawer/store/files.ts';
import { get } from '#drawer/documents/get.ts';
import { parseId } from './ids.ts';
import { runIndexer, type Indexer } from '#drawer/index/indexer.ts';
import type { DrawerOperations } from './operations.ts';
import { defaultPolicy, type DrawerPolicy } from './policy.ts';
import { purge, sessions, type PurgeDeps } from '#drawer/sessions/purge.ts';
import type { Size } from '#drawer/store/space.ts';
import { searchRegex, type RegexArgs } from '#drawer/search/patternSearch.ts';
import { search } from '#drawer/search/search.ts';
import type { DrawerService, Found } from './types.ts';
import { uuidv7 } from '#drawer/sessions/sessions.ts';
import { storeBytes, type Bill, type StoreDeps } from '#drawer/store/store.ts';
import { readWhole, transfer } from '#drawer/store/transfer.ts';
import { verifyAll } from '#drawer/verify/verifyAll.ts';

export type DrawerDeps = {
  /** Runs an operation of `drawerOperations` where the drawer is owned. */
  call: Call<DrawerOperations>;
  count: Count;
  /** The tokenizer that `count` uses, as anchors name it. */
  counter: string;
  bill?: Bill;
  log: Log;
  /** Asked for at each use: a person may change it. */
  policy?: () => DrawerPolicy;
  /** Undefined: there is no cap. */
  size?: () => Promise<Size>;
  /** Leaves nothing on disk that is older than what the drawer holds now. */
  forgetOld?: () => Promise<void>;
  /** Gives free space back, and answers with the sizes before and after. */
  compact?: () => Promise<{ before: number; after: number }>;
  /** Undefined: no command is ever run. */
  run?: Run;
  /** Milliseconds since 1970. */
  now?: () => number;
};

const nothing = (): Promise<void> => Promise.resolve();
const noCommands: Run = () =>
  Promise.reject(new LoomError('NO_SANDBOX', 'Nothing was run: this program runs no commands.'));

/** Once, after the first session was opened, so that whoever comes back late finds it: what a process that died had begun. */
const atStart = (deps: PurgeDeps, indexer: Indexer, expire: () => Promise<unknown>, log: Log): (() => void) => {
  let done = false;
  const tidy = async (): Promise<void> => {
    await deps.erase();
    await expire();
  };
  return () => {
    if (done) return;
    done = true;
    tidy().catch((error: unknown) => log.error('What has expired was not purged.', error));
  };
};

/** The drawer as a program sees it. The heavy work is done here, beside the caller; the owner gets finished rows. */
export const createDrawer = (given: DrawerDeps): DrawerService => {
  const {
    call,
    log,
    now = Date.now,
    policy = () => defaultPolicy,
    forgetOld = nothing,
    run = noCommands,
    ...others
  } = given;
  const indexer = runIndexer(call, log);
  const erase = async (): Promise<void> => {
    await call('drawer.erase', undefined);
    indexer.start();
  };
  const purgeDeps: PurgeDeps = { call, erase, forgetOld, now, ttlDays: () => policy().ttlDays };
  const expire = (): Promise<unknown> => purge(purgeDeps, { own: '', confirm: true });
  const { count, counter, bill, size } = others;
  const deps: StoreDeps = {
    call,
    erase,
    count,
    counter,
    bill,
    size,
    policy,
    now,
    expire,
    onStored: indexer.start,
  };
  const find = (args: RegexArgs, control?: CallControl): Promise<Found> => {
    const until = abortable(call, control?.signal);
    return args.regex ? searchRegex(until, args, control?.signal) : search(until, args);
  };
  const tidy = atStart(purgeDeps, indexer, expire, log);
  return {
    ...createBrowser(call, counter),
    session: async ({ client, root }) => {
      const at = now();
      const id = await call('drawer.session', { client, root, id: uuidv7(at), now: at });
      tidy();
      return id;
    },
    store: (args, control) => storeBytes(deps, args, control),
    storeFiles: (args, control) => storeFiles((file) => storeBytes(deps, file, control), args, control),
    storePersonsFile: async ({ session, path: chosen, title, keep }, control) => {
      const { path, bytes } = await readChosenFile(chosen);
      return storeBytes(deps, { session, bytes, title, keep, source: { kind: 'editor', path } }, control);
    },
    storeCommand: (args, control) => storeCommand((part) => storeBytes(deps, part, control), run, args, control),
    get: (args) => get(call, args),
    search: (args, control) => find(args, control),
    documents: (args) => call('drawer.documents', args),
    readDocument: ({ id }) => readWhole(call, parseId(id)),
    documentInfo: async ({ id }) => {
      const { document, chunk } = parseId(id);
      const { info, range } = await call('drawer.read', { document, chunk, from: 0, most: 1 });
      return { info, bytes: range[1] - range[0] };
    },
    sessions: () => sessions(purgeDeps),
    profile: (args) => call('drawer.profile', args),
    purge: (args) => purge(purgeDeps, args),
    verify: (args, control) => verifyAll(call, args, control),
    check: (args, control) => checkFacts(abortable(call, control.signal), args),
    transfer: (args, control) => transfer(deps, args, control),
    vacuum: async () => {
      await call('drawer.compact', undefined);
      return (await others.compact?.()) ?? { before: 0, after: 0 };
    },
    rebuildIndex: async (_, { progress }) => {
      await call('drawer.resetIndex', undefined);
      const { documents, chunks } = await call('drawer.scope', { whole: false });
      // Nobody has to wait for it, and it goes on when nobody does.
      progress(0, `the index is empty and being filled with ${counted(chunks, 'chunk')}; searches work meanwhile`);
      await indexer.finish();
      return { documents, chunks };
    },
    searchAll: (args, control) => find(args, control),
  };
};
