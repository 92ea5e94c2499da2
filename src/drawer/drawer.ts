import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import type { Log } from '#base/log.ts';
import type { Count } from './anchor.ts';
import { readChosenFile, storeFiles } from './files.ts';
import { get } from './get.ts';
import { parseId } from './ids.ts';
import type { DrawerOperations } from './operations.ts';
import { search } from './search.ts';
import type { DrawerService } from './service.ts';
import { uuidv7 } from './sessions.ts';
import { storeBytes, type Bill, type StoreDeps } from './store.ts';

export type DrawerDeps = {
  /** Runs an operation of `drawerOperations` where the drawer is owned. */
  call: Call<DrawerOperations>;
  count: Count;
  /** The tokenizer that `count` uses, as anchors name it. */
  counter: string;
  bill?: Bill;
  log: Log;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** Runs the index job, one at a time; what was stored while it ran is looked for again at its end. */
const indexer = (call: Call<DrawerOperations>, log: Log): (() => void) => {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    try {
      do {
        again = false;
        await call('drawer.index', undefined);
      } while (again);
    } catch (error) {
      const closing = error instanceof LoomError && error.code === 'DRAWER_CLOSED';
      // It goes on where the drawer is opened next.
      if (!closing) log.error('Indexing failed; until it works again searches read what is not indexed.', error);
    } finally {
      running = false;
    }
  };
  return () => {
    again = true;
    if (!running) void run();
  };
};

const pageBytes = 1 << 20;

const readDocument = async (call: Call<DrawerOperations>, id: string) => {
  const { document } = parseId(id);
  const parts: Uint8Array[] = [];
  for (let from = 0; ;) {
    const read = await call('drawer.read', { document, from, most: pageBytes });
    parts.push(read.bytes);
    from = read.from + read.bytes.length;
    if (from >= read.range[1]) return { info: read.info, bytes: Buffer.concat(parts) };
  }
};

/** The drawer as a program sees it. The heavy work is done here, beside the caller; the owner gets finished rows. */
export const createDrawer = ({ call, count, counter, bill, log, now = Date.now }: DrawerDeps): DrawerService => {
  const startIndexing = indexer(call, log);
  const deps: StoreDeps = { call, count, counter, bill, now, onStored: startIndexing };
  let indexChecked = false;
  return {
    session: async ({ client, root }) => {
      const at = now();
      const id = await call('drawer.session', { client, root, id: uuidv7(at), now: at });
      // An index job that died with its process goes on with the next session.
      if (!indexChecked) startIndexing();
      indexChecked = true;
      return id;
    },
    store: (args, control) => storeBytes(deps, args, control),
    storeFiles: (args, control) => storeFiles((file) => storeBytes(deps, file, control), args, control),
    storePersonsFile: async ({ session, path: chosen, title, keep }, control) => {
      const { path, bytes } = await readChosenFile(chosen);
      return storeBytes(deps, { session, bytes, title, keep, source: { kind: 'editor', path } }, control);
    },
    get: (args) => get(call, args),
    search: (args) => search(call, args),
    documents: (args) => call('drawer.documents', args),
    readDocument: ({ id }) => readDocument(call, id),
    searchAll: (args) => search(call, args),
  };
};
