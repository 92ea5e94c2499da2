// The kernel in the engine: the records of its cells, and the bill for what they put out.
import { join } from 'node:path';
import { asLoomError } from '#base/errors.ts';
import { write, type Data } from '#base/operation.ts';
import type { EngineDeps, EnginePart, OperationDeps } from '#base/room.ts';
import { inSlices } from '#base/slices.ts';
import { encodeText } from '#base/text.ts';
import type { Tx } from '#base/tx.ts';
import { endSessions } from './executions/endSessions.ts';
import { createExecutionStore, type BillOutput } from './executions/executionStore.ts';
import { kernelMigrations } from './executions/migrations.ts';
import { kernelOperations } from './executions/operations.ts';
import type { BilledEntry } from '#ledger/types.ts';
import { outputsFolder, type Kept } from './types.ts';

type Operations = typeof kernelOperations;
type Deps = EngineDeps<Operations, 'drawer' | 'ledger'>;

/** What an execution's output kept out of the prompt of the model that asked for it. */
const billBy =
  ({ ledger, log }: Deps): BillOutput =>
  async ({ account: { client, conversation }, text, units }) => {
    try {
      const moved = await inSlices(ledger.billOutput({ text, units, client }));
      const bytes = Buffer.byteLength(text);
      return { ...moved, client, conversation, counter: ledger.counter, bytes } satisfies BilledEntry & Data;
    } catch (error) {
      log.error('an output could not be counted', error);
      return undefined;
    }
  };

/** The record of an execution and what it kept out of the prompt, in one transaction. */
const keepBilled =
  ({ ledger }: OperationDeps<'ledger'>) =>
  (tx: Tx, args: Kept): boolean => {
    const kept = kernelOperations['kernel.keep'].run(tx, args);
    const entry = args.entry as BilledEntry | undefined;
    if (entry === undefined || !kept) return kept;
    const { execution, completedAt, updatedAt } = args.info;
    const at = completedAt ?? updatedAt;
    ledger.recordMoved(tx, { ...entry, session: args.session, of: { execution }, at, tool: 'run_python' });
    return kept;
  };

export const engine: EnginePart = {
  migrations: kernelMigrations,
  operations: (deps: OperationDeps<'ledger'>) => ({
    ...kernelOperations,
    'kernel.keep': write(keepBilled(deps)),
  }),
  sessionsEnded: endSessions,
  uncapped: ['kernel.begin', 'kernel.drop', 'kernel.settle'] satisfies (keyof Operations)[],
  create: (deps: Deps) => {
    const { call, drawer, log, store } = deps;
    const control = { signal: new AbortController().signal, progress: () => undefined };
    const executions = createExecutionStore(call, {
      folder: join(store.folder, outputsFolder),
      index: async ({ session, title, text }) => {
        // What it kept out of a prompt stands with the execution: no account.
        await drawer.store({ session, title, source: { kind: 'text' }, bytes: encodeText(text) }, control);
      },
      bill: billBy(deps),
    });
    const tidy = (): Promise<void> => executions.tidy({});
    // What processes that were killed left behind. A program that closes meanwhile leaves it to the next.
    tidy().catch((error: unknown) => {
      if (asLoomError(error).code !== 'DRAWER_CLOSED') log.warn(`outputs were not tidied: ${String(error)}`);
    });
    return { service: { ...executions }, tidy };
  },
};
