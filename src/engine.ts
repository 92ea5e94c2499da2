import { parentPort, workerData } from 'node:worker_threads';
import type { Log } from '#base/log.ts';
import { write } from '#base/operation.ts';
import { serve, type CallControl } from '#base/rpc.ts';
import type { Tx } from '#base/tx.ts';
import { insertDocument, type InsertArgs, type Inserted } from '#drawer/documents.ts';
import { createDrawer } from '#drawer/drawer.ts';
import { drawerFunctions } from '#drawer/functions.ts';
import { documentId } from '#drawer/ids.ts';
import { drawerOperations, uncappedOperations } from '#drawer/operations.ts';
import { defaultPolicy } from '#drawer/policy.ts';
import { drawerMigrations } from '#drawer/schema.ts';
import type { Bill } from '#drawer/store.ts';
import { billStored, type MovedBill } from '#ledger/bill.ts';
import { recordMoved } from '#ledger/entries.ts';
import { createLedger } from '#ledger/ledger.ts';
import { ledgerMigrations } from '#ledger/migrations.ts';
import { ledgerOperations } from '#ledger/operations.ts';
import { countTokens } from '#ledger/tokens.ts';
import { counter } from '#ledger/vocabulary.ts';
import type { EngineEvent, EngineOptions, EngineProgram } from '#mcp/engine.ts';
import { openStore } from '#storage/store.ts';

type Entry = MovedBill & { client: string; conversation: string; bytes: number };

/** What a stored document kept out of the prompt; undefined where nobody's prompt was spared. */
const bill: Bill = function* ({ text, source, tokens, tokensEstimated, kind, bytes, account }) {
  if (account === undefined) return undefined;
  const moved = yield* billStored({
    text: kind === 'binary' ? undefined : text,
    source,
    tokens: { tokens, estimated: tokensEstimated },
    client: account.client,
  });
  return { ...moved, client: account.client, conversation: account.conversation, bytes };
};

/** A document and what it kept out of the prompt, in one transaction. */
const insertBilled = (tx: Tx, args: InsertArgs): Inserted => {
  const inserted = insertDocument(tx, args);
  const entry = args.entry as Entry | undefined;
  if (entry !== undefined && !inserted.duplicate)
    recordMoved(tx, {
      ...entry,
      session: args.document.session,
      document: documentId(inserted.id),
      at: args.document.storedAt,
      tool: args.document.source.kind === 'text' ? 'ctx_store' : 'ctx_store_file',
    });
  return inserted;
};

const dayMs = 86_400_000;

const operations = { ...drawerOperations, ...ledgerOperations, 'drawer.insert': write(insertBilled) };

const start = async (options: EngineOptions, emit: (event: EngineEvent) => void): Promise<EngineProgram> => {
  const say =
    (level: keyof Log) =>
    (message: string, error?: unknown): void => {
      const detail = error instanceof Error ? `${message}: ${error.stack ?? error.message}` : message;
      emit({ kind: 'log', level, message: detail });
    };
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  const policy = options.policy ?? defaultPolicy;
  const store = await openStore({
    folder: options.folder,
    operations,
    migrations: [...drawerMigrations, ...ledgerMigrations],
    functions: drawerFunctions,
    maxBytes: policy.maxSizeMB * 2 ** 20,
    uncapped: [...uncappedOperations, 'ledgerAppend'],
    app: options.version,
    log,
    onChange: () => emit({ kind: 'changed' }),
  });
  const { call } = store;
  const ledger = createLedger({ call, log, clock: Date.now });
  const drawer = createDrawer({
    call,
    count: countTokens,
    counter,
    bill,
    log,
    policy,
    size: async () => {
      const { imageBytes, maxBytes, role } = await store.health();
      // A view has no cap: its owner's is not known, and it refuses every write anyway.
      return { imageBytes, maxBytes: role === 'view' ? Infinity : maxBytes };
    },
    forgetOld: () => store.checkpoint({ alone: true }),
    compact: store.compact,
  });
  const expire = (): void => {
    drawer
      .purge({ own: '', confirm: true })
      .catch((error: unknown) => log.error('What has expired was not purged.', error));
  };
  const daily = setInterval(expire, dayMs).unref();
  return {
    ...drawer,
    ...ledger,
    health: store.health,
    close: async () => {
      clearInterval(daily);
      await ledger.dispose();
      await store.close();
    },
  };
};

if (parentPort) {
  let program: Promise<EngineProgram> | undefined;
  // A drawer that could not be opened is tried again by the next call: what was in its way may be gone.
  const opened = (): Promise<EngineProgram> =>
    (program ??= start(workerData as EngineOptions, (event) => emit(event)).catch((error: unknown) => {
      program = undefined;
      throw error;
    }));
  const service = new Proxy({} as EngineProgram, {
    get: (_, method: keyof EngineProgram) => async (args: never, control: CallControl) =>
      (await opened())[method](args, control),
  });
  const emit = serve(parentPort, service);
}
