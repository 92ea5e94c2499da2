import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Log } from '#base/log.ts';
import { write } from '#base/operation.ts';
import { serve, type CallControl } from '#base/rpc.ts';
import { inSlices } from '#base/slices.ts';
import { encodeText } from '#base/text.ts';
import type { Tx } from '#base/tx.ts';
import { runCommand } from '#sandbox/run.ts';
import { insertDocument, type InsertArgs, type Inserted } from '#drawer/documents.ts';
import { createDrawer } from '#drawer/drawer.ts';
import { drawerFunctions } from '#drawer/functions.ts';
import { documentId } from '#drawer/ids.ts';
import { drawerOperations, uncappedOperations } from '#drawer/operations.ts';
import { defaultPolicy } from '#drawer/policy.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import type { Bill } from '#drawer/store.ts';
import { createExecutionStore, type BillOutput } from '#kernel/executions/executionStore.ts';
import { kernelMigrations } from '#kernel/executions/migrations.ts';
import { kernelOperations } from '#kernel/executions/operations.ts';
import { outputsFolder, type Kept } from '#kernel/types.ts';
import { billOutput, billStored, type MovedBill } from '#ledger/bill.ts';
import { recordMoved } from '#ledger/entries.ts';
import { createLedger } from '#ledger/ledger.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { defaultCounter, type Counter } from '#ledger/types.ts';
import { countTokens } from '#ledger/tokens.ts';
import type { EngineEvent, EngineOptions, EngineProgram, PolicyService } from '#host/engine.ts';
import { diagnose } from '#storage/folder/doctor.ts';
import type { Keys } from '#storage/sealing/keySlots.ts';
import { repair } from '#storage/folder/repair.ts';
import type { FolderService } from '#storage/types.ts';
import { openStore } from '#storage/store.ts';
import { unlock } from '#storage/folder/unlock.ts';

type Entry = MovedBill & { client: string; conversation: string; counter: string; bytes: number };

/** What a stored document kept out of the prompt; undefined where nobody's prompt was spared. */
const billBy = (counter: Counter): Bill =>
  function* ({ text, source, tokens, tokensEstimated, kind, bytes, account }) {
    if (account === undefined) return undefined;
    const moved = yield* billStored({
      text: kind === 'binary' ? undefined : text,
      source,
      tokens: { tokens, estimated: tokensEstimated },
      client: account.client,
      counter,
    });
    return { ...moved, client: account.client, conversation: account.conversation, counter, bytes };
  };

const storingTool = {
  text: 'ctx_store',
  file: 'ctx_store_file',
  command: 'ctx_store_cmd',
  editor: 'ctx_store_file',
  // On nobody's account: it has been in the prompt.
  archive: 'archive',
};

/** A document and what it kept out of the prompt, in one transaction. */
const insertBilled = (tx: Tx, args: InsertArgs): Inserted => {
  const inserted = insertDocument(tx, args);
  const entry = args.entry as Entry | undefined;
  if (entry !== undefined && !inserted.duplicate)
    recordMoved(tx, {
      ...entry,
      session: args.document.session,
      of: { document: documentId(inserted.id) },
      at: args.document.storedAt,
      tool: storingTool[args.document.source.kind],
    });
  return inserted;
};

/** What an execution's output kept out of the prompt of the model that asked for it. */
const billOutputBy =
  (counter: Counter, log: Log): BillOutput =>
  async ({ account: { client, conversation }, text, units }) => {
    try {
      const moved = await inSlices(billOutput({ text, units, client, counter }));
      return { ...moved, client, conversation, counter, bytes: Buffer.byteLength(text) };
    } catch (error) {
      log.error('an output could not be counted', error);
      return undefined;
    }
  };

/** The record of an execution and what it kept out of the prompt, in one transaction. */
const keepBilled = (tx: Tx, args: Kept): boolean => {
  const kept = kernelOperations['kernel.keep'].run(tx, args);
  const entry = args.entry as Entry | undefined;
  if (entry === undefined || !kept) return kept;
  const { execution, completedAt, updatedAt } = args.info;
  recordMoved(tx, {
    ...entry,
    session: args.session,
    of: { execution },
    at: completedAt ?? updatedAt,
    tool: 'run_python',
  });
  return kept;
};

const dayMs = 86_400_000;
/** Of one command: more would fill the drawer. */
const mostOutput = 50 * 2 ** 20;

const operations = {
  ...drawerOperations,
  ...ledgerOperations,
  ...kernelOperations,
  'drawer.insert': write(insertBilled),
  'kernel.keep': write(keepBilled),
};

/** What is answered without the drawer being opened. */
type UnopenedService = FolderService & PolicyService;
type OpenProgram = Omit<EngineProgram, keyof UnopenedService>;

/** What may open a sealed drawer; the program that started this one says it, and says it anew when it changes. */
let keys: Keys = {};
/** What a person decided about the drawer; the same holds of it. */
let policy = defaultPolicy;

const start = async (options: EngineOptions, emit: (event: EngineEvent) => void): Promise<OpenProgram> => {
  const say =
    (level: keyof Log) =>
    (message: string, error?: unknown): void => {
      const detail = error instanceof Error ? `${message}: ${error.stack ?? error.message}` : message;
      emit({ kind: 'log', level, message: detail });
    };
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const store = await openStore({
    folder: options.folder,
    operations,
    migrations: [...drawerMigrations, ...ledgerMigrations, ...kernelMigrations],
    functions: drawerFunctions,
    maxBytes: () => policy.maxSizeMB * 2 ** 20,
    uncapped: [...uncappedOperations, 'ledgerAppend', 'kernel.begin', 'kernel.drop', 'kernel.settle'],
    app: options.version,
    keys: () => keys,
    log,
    onChange: () => emit({ kind: 'changed' }),
  });
  const { call } = store;
  const { counter = defaultCounter } = options;
  const ledger = createLedger({ call, log, counter, clock: Date.now });
  const drawer = createDrawer({
    call,
    count: (text) => countTokens(text, counter),
    counter,
    bill: billBy(counter),
    log,
    policy: () => policy,
    size: async () => {
      const { imageBytes, maxBytes, role } = await store.health();
      // A view has no cap: its owner's is not known, and it refuses every write anyway.
      return { imageBytes, maxBytes: role === 'view' ? Infinity : maxBytes };
    },
    forgetOld: () => store.checkpoint({ alone: true }),
    compact: store.compact,
    run: (args, signal) =>
      runCommand(import.meta.dirname, { ...args, hidden: [options.folder], outputBytes: mostOutput }, signal),
  });
  const expire = (): void => {
    drawer
      .purge({ own: '', confirm: true })
      .catch((error: unknown) => log.error('What has expired was not purged.', error));
  };
  const daily = setInterval(expire, dayMs).unref();
  const executions = createExecutionStore(call, {
    folder: join(options.folder, outputsFolder),
    index: async ({ session, title, text }) => {
      const control = { signal: new AbortController().signal, progress: () => undefined };
      // What it kept out of a prompt stands with the execution: no account.
      await drawer.store({ session, title, source: { kind: 'text' }, bytes: encodeText(text) }, control);
    },
    bill: billOutputBy(counter, log),
  });
  executions.tidy({}).catch((error: unknown) => log.warn(`outputs were not tidied: ${(error as Error).message}`));
  return {
    ...drawer,
    ...ledger,
    ...executions,
    health: store.health,
    exportTo: ({ file }) => store.exportTo(file),
    seal: async ({ sealing }) => {
      const sealed = await store.seal(sealing);
      if (sealing.kind === 'secretStorage') keys = { ...keys, secret: sealing.secret };
      if (sealing.kind === 'passphrase') keys = { ...keys, passphrase: sealing.passphrase };
      return sealed;
    },
    close: async () => {
      clearInterval(daily);
      await ledger.dispose();
      await store.close();
    },
  };
};

const unopenedService = ({ folder }: EngineOptions): UnopenedService => {
  const about = { folder, functions: drawerFunctions, keys: () => keys };
  return {
    setKeys: (given) => {
      keys = given.keys;
    },
    setPolicy: (given) => {
      policy = given.policy;
    },
    diagnose: () => diagnose(about),
    repair: () => repair(about),
    unlock: ({ force }) => unlock({ folder, force }),
  };
};

if (parentPort) {
  const options = workerData as EngineOptions;
  policy = options.policy ?? policy;
  const unopened = unopenedService(options);
  let program: Promise<OpenProgram> | undefined;
  // A drawer that could not be opened is tried again by the next call: what was in its way may be gone.
  const opened = (): Promise<OpenProgram> =>
    (program ??= start(options, (event) => emit(event)).catch((error: unknown) => {
      program = undefined;
      throw error;
    }));
  const service = new Proxy({} as EngineProgram, {
    get: (_, method: keyof EngineProgram) => async (args: never, control: CallControl) => {
      if (Object.hasOwn(unopened, method)) return unopened[method as keyof UnopenedService](args);
      // Whoever never opened the drawer need not open it to close.
      if (method === 'close' && program === undefined) return undefined;
      return (await opened())[method as keyof OpenProgram](args, control);
    },
  });
  const emit = serve(parentPort, service);
}
