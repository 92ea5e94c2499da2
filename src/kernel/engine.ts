// The kernel in the engine: the records of its cells, and the bill for what they put out.
import { write, type Data } from '#base/operation.ts';
import type { EngineDeps, EnginePart, Inside, OperationDeps } from '#base/room.ts';
import { inSlices } from '#base/slices.ts';
import { encodeText } from '#base/text.ts';
import type { Tx } from '#base/tx.ts';
import { createExecutionList, executionListOperations } from './executions/executionList.ts';
import {
  createExecutionStore,
  kernelMigrations,
  kernelOperations,
  type BillOutput,
  type Kept,
} from './executions/executionStore.ts';

type Ledger = Inside['ledger'];
type Entry = Omit<Parameters<Ledger['within']['recordMoved']>[1], 'session' | 'of' | 'at' | 'tool'>;
type Operations = typeof kernelOperations & typeof executionListOperations;
type Deps = EngineDeps<Operations, 'drawer' | 'ledger'>;

/** What an execution's output kept out of the prompt of the model that asked for it. */
const billBy =
  ({ ledger, log }: Deps): BillOutput =>
  async ({ account: { client, conversation }, text, units }) => {
    try {
      const moved = await inSlices(ledger.billOutput({ text, units, client }));
      const bytes = Buffer.byteLength(text);
      return { ...moved, client, conversation, counter: ledger.counter, bytes } satisfies Entry & Data;
    } catch (error) {
      log.error('an output could not be counted', error);
      return undefined;
    }
  };

/** The record of an execution and what it kept out of the prompt, in one transaction. */
const keepBilled =
  ({ ledger }: OperationDeps<'ledger'>) =>
  (tx: Tx, args: Kept): void => {
    kernelOperations['kernel.keep'].run(tx, args);
    const entry = args.entry as Entry | undefined;
    if (entry === undefined) return;
    const { execution, completedAt, updatedAt } = args.info;
    const at = completedAt ?? updatedAt;
    ledger.recordMoved(tx, { ...entry, session: args.session, of: { execution }, at, tool: 'run_python' });
  };

export const engine: EnginePart = {
  migrations: kernelMigrations,
  operations: (deps: OperationDeps<'ledger'>) => ({
    ...kernelOperations,
    ...executionListOperations,
    'kernel.keep': write(keepBilled(deps)),
  }),
  uncapped: ['kernel.begin', 'kernel.drop'] satisfies (keyof Operations)[],
  create: (deps: Deps) => {
    const { call, drawer } = deps;
    const control = { signal: new AbortController().signal, progress: () => undefined };
    const store = createExecutionStore(call, {
      index: async ({ session, title, text }) => {
        // What it kept out of a prompt stands with the execution: no account.
        await drawer.store({ session, title, source: { kind: 'text' }, bytes: encodeText(text) }, control);
      },
      bill: billBy(deps),
    });
    return { service: { ...createExecutionList(call), ...store } };
  },
};
