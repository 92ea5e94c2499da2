// The drawer in the engine: its tables, functions and operations, and its service beside whoever asks.
import { maskSettings } from '#base/maskSettings.ts';
import { write, type Data } from '#base/operation.ts';
import type { EngineDeps, EnginePart, OperationDeps } from '#base/room.ts';
import type { Tx } from '#base/tx.ts';
import type { BilledEntry, LedgerInside } from '#ledger/types.ts';
import { runCommand } from '#sandbox/run.ts';
import { insertDocument, type InsertArgs, type Inserted } from '#drawer/documents/insert.ts';
import { lookAtLosses, mendDocuments } from '#drawer/documents/mend.ts';
import { createDrawer } from './drawer.ts';
import { lookAtIndex } from '#drawer/index/fullText.ts';
import { drawerFunctions } from '#drawer/index/functions.ts';
import { documentId } from './ids.ts';
import { drawerOperations, uncappedOperations, type DrawerOperations } from './operations.ts';
import type { DrawerPolicy } from './policy.ts';
import { removeDocuments, type RemoveArgs } from '#drawer/sessions/removal.ts';
import { drawerSettings } from './room.ts';
import { drawerMigrations } from './schema.ts';
import type { Bill } from '#drawer/store/store.ts';

/** What a stored document kept out of the prompt; undefined where nobody's prompt was spared. */
const billBy = ({ billStored, counter }: LedgerInside): Bill =>
  function* ({ text, source, tokens, tokensEstimated, kind, bytes, account }) {
    if (account === undefined) return undefined;
    const { client, conversation } = account;
    const whole = { tokens, estimated: tokensEstimated };
    const moved = yield* billStored({ text: kind === 'binary' ? undefined : text, source, tokens: whole, client });
    return { ...moved, client, conversation, counter, bytes } satisfies BilledEntry & Data;
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
const insertBilled =
  ({ ledger }: OperationDeps<'ledger'>) =>
  (tx: Tx, args: InsertArgs): Inserted => {
    const inserted = insertDocument(tx, args);
    const entry = args.entry as BilledEntry | undefined;
    if (entry === undefined || inserted.duplicate) return inserted;
    const { session, storedAt: at, source } = args.document;
    const of = { document: documentId(inserted.id) };
    ledger.recordMoved(tx, { ...entry, session, of, at, tool: storingTool[source.kind] });
    return inserted;
  };

/** Sessions that are purged end for every room at once. */
const removeFromAll =
  ({ endSessions }: OperationDeps) =>
  (tx: Tx, args: RemoveArgs): number => {
    const removed = removeDocuments(tx, args);
    if (args.sessions !== undefined && args.sessions.length > 0) endSessions(tx, args.sessions, args.now);
    return removed;
  };

/** Of one command: more would fill the drawer. */
const mostOutputBytes = 50 * 2 ** 20;
const dayMs = 86_400_000;

type Deps = EngineDeps<DrawerOperations, 'ledger'>;

const policyFrom =
  ({ settings }: Deps) =>
  (): DrawerPolicy => {
    const values = settings(drawerSettings);
    return {
      ttlDays: values['drawer.ttlDays'],
      maxSizeMB: values['drawer.maxSizeMB'],
      whenFull: values['drawer.whenFull'],
      ...settings(maskSettings),
    };
  };

export const engine: EnginePart = {
  migrations: drawerMigrations,
  functions: drawerFunctions,
  mend: mendDocuments,
  look: (tx) => [...lookAtLosses(tx), ...lookAtIndex(tx)],
  operations: (deps: OperationDeps<'ledger'>) => ({
    ...drawerOperations,
    'drawer.insert': write(insertBilled(deps)),
    'drawer.remove': write(removeFromAll(deps)),
  }),
  uncapped: uncappedOperations,
  create: (deps: Deps) => {
    const { call, log, ledger, store, programs, tidy } = deps;
    const hidden = [store.folder];
    const drawer = createDrawer({
      call,
      count: ledger.countTokens,
      counter: ledger.counter,
      bill: billBy(ledger),
      log,
      policy: policyFrom(deps),
      size: store.size,
      forgetOld: store.forgetOld,
      compact: store.compact,
      tidy,
      run: (args, signal) => runCommand(programs, { ...args, hidden, outputBytes: mostOutputBytes }, signal),
    });
    const expire = (): void => {
      drawer
        .purge({ own: '', confirm: true })
        .catch((error: unknown) => log.error('What has expired was not purged.', error));
    };
    const daily = setInterval(expire, dayMs).unref();
    return { service: drawer, inside: drawer, close: async () => clearInterval(daily) };
  },
};
