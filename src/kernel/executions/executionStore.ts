// The executions of every session in the drawer, as the engine offers them to the kernels' worker and to the views.
import type { Call, Data } from '#base/operation.ts';
import type { AskedOutput, ExecutionList, ExecutionStore } from '#kernel/types.ts';
import { asItIs } from './liveness.ts';
import type { kernelOperations } from './operations.ts';
import { tidy } from './tidy.ts';

/** What an output kept out of a prompt. */
export type BillOutput = (output: AskedOutput) => Promise<Data>;

type Around = {
  /** Holds the files of outputs. */
  folder: string;
  /** Stores a text in the drawer as a document. */
  index: (document: { session: string; title: string; text: string }) => Promise<void>;
  bill: BillOutput;
};

export const createExecutionStore = (
  call: Call<typeof kernelOperations>,
  { folder, index, bill }: Around,
): ExecutionStore & ExecutionList => {
  /** Workers of this process that are gone. */
  const gone = new Set<string>();
  return {
    beginExecution: (args) => call('kernel.begin', args),
    keepExecution: async ({ asked, ...args }) => call('kernel.keep', { ...args, entry: asked && (await bill(asked)) }),
    indexExecution: ({ session, execution, text }) => index({ session, title: `In [${execution}] output`, text }),
    execution: async (args) => {
      const found = await call('kernel.execution', args);
      return found && { ...found, info: asItIs(found.info, found, gone) };
    },
    executions: async (args) => {
      const { rows, total } = await call('kernel.executions', args);
      return { rows: rows.map(({ host, pid, started, ...row }) => asItIs(row, { host, pid, started }, gone)), total };
    },
    purges: (args) => call('kernel.purges', args),
    dropExecutions: (args) => call('kernel.drop', args),
    tidy: ({ ended }) => {
      if (ended !== undefined) gone.add(ended);
      return tidy(call, folder, gone);
    },
  };
};
