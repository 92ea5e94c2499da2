// The drawer as a program sees it. The heavy work is done here, beside the caller; the owner gets finished rows.
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { CallControl } from '#base/rpc.ts';
import { counted } from '#base/text.ts';
import type { Count } from '#drawer/anchor/budgets.ts';
import { renderAnchor } from '#drawer/anchor/render.ts';
import type { DocumentDetail } from './contents.ts';
import { documentInfo } from '#drawer/documents/documents.ts';
import { get } from '#drawer/documents/get.ts';
import { inspect } from '#drawer/documents/inspect.ts';
import { documentAsked } from '#drawer/documents/named.ts';
import { readWhole } from '#drawer/documents/readWhole.ts';
import { parseId } from './ids.ts';
import { runIndexer, type Indexer } from '#drawer/index/indexer.ts';
import type { DrawerCall } from './operations.ts';
import { defaultPolicy, type DrawerPolicy } from './policy.ts';
import { checkFacts } from '#drawer/search/facts.ts';
import { searchPattern, type PatternSearchArgs } from '#drawer/search/patternSearch.ts';
import { search } from '#drawer/search/search.ts';
import { purge, sessions, type PurgeDeps } from '#drawer/sessions/purge.ts';
import { uuidv7 } from '#drawer/sessions/sessions.ts';
import { storeCommand, type Run } from '#drawer/store/command.ts';
import { readChosenFile, storeFiles } from '#drawer/store/files.ts';
import type { Size } from '#drawer/store/space.ts';
import { storeBytes, type Bill, type StoreDeps } from '#drawer/store/store.ts';
import { transfer } from '#drawer/store/transfer.ts';
import type { DrawerService, Found } from './types.ts';
import { verifyAll } from '#drawer/verify/verifyAll.ts';

export type DrawerDeps = {
  /** Runs an operation of `drawerOperations` where the drawer is owned. */
  call: DrawerCall;
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
  /** Has every room take away what sessions that are gone left outside of the drawer's file. */
  tidy?: () => Promise<void>;
  /** Undefined: no command is ever run. */
  run?: Run;
  /** Milliseconds since 1970. */
  now?: () => number;
};

const nothing = (): Promise<void> => Promise.resolve();
const noCommands: Run = () =>
  Promise.reject(new LoomError('NO_SANDBOX', 'Nothing was run: this program runs no commands.'));

/** `call` until `signal` aborts: then the next operation is refused, and so the work that is made of them ends. */
const abortable = (call: DrawerCall, signal: AbortSignal | undefined): DrawerCall =>
  signal === undefined
    ? call
    : (name, args, options) =>
        signal.aborted
          ? Promise.reject(new LoomError('CANCELLED', 'The caller gave up; what it asked for was not finished.'))
          : call(name, args, options);

/** Once, after the first session was opened, so that whoever comes back late finds it: what a process that died had begun. */
const atStart = (deps: PurgeDeps, expire: () => Promise<unknown>, log: Log): (() => void) => {
  let done = false;
  const begin = async (): Promise<void> => {
    await deps.erase();
    await expire();
  };
  return () => {
    if (done) return;
    done = true;
    begin().catch((error: unknown) => log.error('What has expired was not purged.', error));
  };
};

const storing = (deps: StoreDeps, run: Run) =>
  ({
    store: (args, control) => storeBytes(deps, args, control),
    storeFiles: (args, control) => storeFiles((file) => storeBytes(deps, file, control), args, control),
    storePersonsFile: async ({ session, path: chosen, title, keep }, control) => {
      const { path, bytes, ...file } = await readChosenFile(chosen);
      return storeBytes(deps, { session, bytes, file, title, keep, source: { kind: 'editor', path } }, control);
    },
    storeCommand: (args, control) => storeCommand((part) => storeBytes(deps, part, control), run, args, control),
    transfer: (args, control) => transfer(deps, args, control),
  }) satisfies Partial<DrawerService>;

const detail = async (call: DrawerCall, counter: string, id: string): Promise<DocumentDetail> => {
  const { document, indexed } = await call('drawer.row', { document: parseId(id).document });
  const body = Buffer.from(document.anchor).toString('utf8');
  const anchor = body === '' ? '' : renderAnchor(document.id, document, body, counter);
  return { ...documentInfo(document), anchor, indexed };
};

const reading = (call: DrawerCall, counter: string) => {
  const find = async (asked: PatternSearchArgs, control?: CallControl): Promise<Found> => {
    const until = abortable(call, control?.signal);
    const doc = await documentAsked(until, asked.session, asked.doc);
    const args = { ...asked, doc };
    return args.regex ? searchPattern(until, args, control?.signal) : search(until, args);
  };
  return {
    get: (args) => get(call, args),
    search: find,
    searchAll: (args, control) => find({ versions: 'all', ...args }, control),
    documents: (args) => call('drawer.documents', args),
    readDocument: ({ id }) => readWhole(call, parseId(id)),
    documentInfo: async ({ id }) => {
      const { document, chunk } = parseId(id);
      const { info, range } = await call('drawer.read', { document, chunk, from: 0, most: 1 });
      return { info, bytes: range[1] - range[0] };
    },
    documentPage: (args) => call('drawer.page', args),
    chunkPage: ({ id, ...rows }) => call('drawer.chunkPage', { document: parseId(id).document, ...rows }),
    documentDetail: ({ id }) => detail(call, counter, id),
    inspect: ({ id }, { signal }) => inspect(call, parseId(id).document, signal),
    verify: (args, control) => verifyAll(call, args, control),
    check: async (args, control) => {
      const until = abortable(call, control.signal);
      const doc = await documentAsked(until, args.session, args.doc);
      return checkFacts(until, { ...args, doc });
    },
  } satisfies Partial<DrawerService>;
};

const upkeep = (call: DrawerCall, indexer: Indexer, compact: DrawerDeps['compact']) =>
  ({
    vacuum: async () => {
      await call('drawer.compact', undefined);
      return (await compact?.()) ?? { before: 0, after: 0 };
    },
    settleIndex: ({ ms }) => indexer.settle(ms),
    rebuildIndex: async (_, { progress }) => {
      await call('drawer.resetIndex', undefined);
      const { documents, chunks } = await call('drawer.scope', { whole: false });
      // Nobody has to wait for it, and it goes on when nobody does.
      progress(0, `the index is empty and being filled with ${counted(chunks, 'chunk')}; searches work meanwhile`);
      await indexer.finish();
      return { documents, chunks };
    },
  }) satisfies Partial<DrawerService>;

export const createDrawer = (given: DrawerDeps): DrawerService => {
  const { call, log, now = Date.now, policy = () => defaultPolicy, forgetOld = nothing, run = noCommands } = given;
  const { count, counter, bill, size, compact, tidy: tidyRooms = nothing } = given;
  const indexer = runIndexer(call, log);
  const erase = async (): Promise<void> => {
    await call('drawer.erase', undefined);
    indexer.start();
    await tidyRooms();
  };
  const purgeDeps: PurgeDeps = { call, erase, forgetOld, now, ttlDays: () => policy().ttlDays };
  const expire = (): Promise<unknown> => purge(purgeDeps, { own: '', confirm: true });
  const space = { call, erase, size, policy, now };
  const begin = atStart(purgeDeps, expire, log);
  return {
    ...storing({ ...space, count, counter, bill, expire, onStored: indexer.start }, run),
    ...reading(call, counter),
    ...upkeep(call, indexer, compact),
    session: async ({ client, root }) => {
      const at = now();
      const id = await call('drawer.session', { client, root, id: uuidv7(at), now: at });
      begin();
      return id;
    },
    policy: async () => policy(),
    sessions: () => sessions(purgeDeps),
    profile: (args) => call('drawer.profile', args),
    purge: (args) => purge(purgeDeps, args),
  };
};
