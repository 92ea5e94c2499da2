// Every session's kernel of this process, as one service.
import { LoomError } from '#base/errors.ts';
import { History, type HistoryOptions } from '#kernel/executions/history.ts';
import { adviceFor, startChosen, type Programs } from '#kernel/backends/start.ts';
import { outputPage } from '#kernel/output/outputPage.ts';
import { searchHistory } from '#kernel/search/searchHistory.ts';
import { searchStream } from '#kernel/search/searchOutput.ts';
import { Kernel } from './kernel.ts';
import type { FoundOutput, KernelService, KernelState, SearchHistoryArgs, SearchOutputArgs } from './types.ts';

export type KernelsOptions = HistoryOptions & {
  programs: Programs;
  /** Told when a cell begins, and with undefined when it has ended. */
  onBusy: (session: string, execution: number | undefined) => void;
};

const stateOf = (kernel: Kernel): KernelState => {
  const state = kernel.state();
  return { ...state, advice: state.kernel && adviceFor(state.kernel) };
};

const searchOutput = async (kernel: Kernel, worker: string, args: SearchOutputArgs): Promise<FoundOutput> => {
  const { info, output, doubt } = await kernel.find(args.execution);
  const stream = output.stream(args.stream);
  const found = await searchStream(worker, stream, args);
  // What came in the meantime and is shown around a hit must be on disk too.
  await kernel.find(info.execution);
  const { missing } = stream;
  const complete = found.cursor === undefined && missing === undefined && doubt === undefined;
  return { info, ...found, complete, missing, doubt };
};

const searchSession = async (kernel: Kernel, args: SearchHistoryArgs, signal: AbortSignal) => {
  const newest = await kernel.find(undefined).catch((error: unknown) => {
    if (error instanceof LoomError && error.code === 'EXECUTION_NOT_FOUND') return undefined;
    throw error;
  });
  const read = async (number: number) => (await kernel.read(number)).output.stream('combined');
  return searchHistory(args, newest?.info.execution ?? 0, read, signal);
};

const newKernel = (session: string, options: KernelsOptions): Kernel =>
  new Kernel(new History(session, options), {
    start: startChosen(options.programs),
    log: options.log,
    onBusy: (execution) => options.onBusy(session, execution),
  });

export const createKernels = (options: KernelsOptions): KernelService & { close: () => Promise<void> } => {
  const kernels = new Map<string, Kernel>();
  const kernelOf = (session: string): Kernel => {
    const kernel = kernels.get(session) ?? newKernel(session, options);
    kernels.set(session, kernel);
    return kernel;
  };
  const close = async (): Promise<void> => {
    await Promise.all([...kernels.values()].map((kernel) => kernel.close()));
  };
  return {
    run: (args, { signal }) => kernelOf(args.session).run(args, signal),
    wait: ({ session, execution, wait, units }, { signal }) => kernelOf(session).wait(execution, wait, units, signal),
    status: async ({ session, execution }) => (await kernelOf(session).find(execution)).info,
    readOutput: async (args) =>
      outputPage(await kernelOf(args.session).find(args.execution), args, options.executionBytes),
    searchOutput: (args) => searchOutput(kernelOf(args.session), options.programs.worker, args),
    searchHistory: (args, { signal }) => searchSession(kernelOf(args.session), args, signal),
    interrupt: async ({ session }) => kernelOf(session).interrupt(),
    reset: async ({ session, choice }) => {
      const kernel = kernelOf(session);
      await kernel.reset(choice);
      return stateOf(kernel);
    },
    state: async ({ session }) => stateOf(kernelOf(session)),
    close,
  };
};
