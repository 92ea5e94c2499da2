import type { Disposable } from '#base/disposable.ts';
import { LoomError } from '#base/errors.ts';
import { dataText } from '#kernel/output/displays.ts';
import { History, type HistoryOptions } from '#kernel/executions/history.ts';
import { Kernel } from './kernel.ts';
import { Output } from '#kernel/output/output.ts';
import { readPage } from '#kernel/output/page.ts';
import { searchHistory } from '#kernel/search/searchHistory.ts';
import { searchStream } from '#kernel/search/searchOutput.ts';
import type { KernelService, KernelState, OutputPage, ReadArgs } from './types.ts';
import { adviceFor, startChosen, type Programs } from '#kernel/backends/start.ts';
import { StreamText } from '#kernel/output/stream.ts';

export type KernelsOptions = HistoryOptions & {
  programs: Programs;
  /** Told when a cell begins, and with undefined when it has ended. */
  onBusy: (session: string, execution: number | undefined) => void;
};

type Found = Awaited<ReturnType<Kernel['find']>>;

/** A stream's text as it was written, or the data of its displays, or what a person would see. */
const textOf = ({ info, output, entries }: Found, { stream, raw, mime }: ReadArgs, limit: number): StreamText => {
  if (stream === 'display') {
    const text = new StreamText(limit);
    for (const [n, { data }] of output.displays.entries()) {
      if (mime === undefined) text.block(`display ${n + 1}: ${Object.keys(data).join(', ')}`);
      const found = dataText(data, mime ?? 'text/plain');
      if (found !== undefined && found !== '') text.block(found);
    }
    return text;
  }
  if (!raw) return output.stream(stream);
  const whole = new Output(info.execution, limit, { raw: true });
  for (const entry of entries()) whole.add(entry);
  return whole.stream(stream);
};

/** Every session's kernel of this process. */
export const createKernels = (options: KernelsOptions): KernelService & { close: () => Promise<void> } & Disposable => {
  const kernels = new Map<string, Kernel>();
  const kernelOf = (session: string): Kernel => {
    let kernel = kernels.get(session);
    if (kernel === undefined) {
      const history = new History(session, options);
      kernels.set(
        session,
        (kernel = new Kernel(history, {
          start: startChosen(options.programs),
          log: options.log,
          onBusy: (execution) => options.onBusy(session, execution),
        })),
      );
    }
    return kernel;
  };
  const stateOf = (kernel: Kernel): KernelState => {
    const state = kernel.state();
    return { ...state, advice: state.kernel && adviceFor(state.kernel) };
  };
  const readOutput = async (args: ReadArgs): Promise<OutputPage> => {
    const found = await kernelOf(args.session).find(args.execution);
    const { mime } = args;
    const text = textOf(found, args, options.executionBytes);
    const images = found.output.displays.flatMap(({ data }) =>
      args.stream === 'display' && mime?.startsWith('image/') && mime !== 'image/svg+xml' && data[mime] !== undefined
        ? [{ mime, data: dataText(data, mime) as string }]
        : [],
    );
    const { info } = found;
    if (images.length > 0)
      return { info, text: '', totalLines: 0, lines: [1, 0], cursor: undefined, missing: undefined, images };
    const { totalLines, missing } = text;
    return { info, ...readPage(text, args), totalLines, missing, images: [] };
  };
  const close = async (): Promise<void> => {
    await Promise.all([...kernels.values()].map((kernel) => kernel.close()));
  };
  return {
    run: (args, { signal }) => kernelOf(args.session).run(args, signal),
    wait: ({ session, execution, wait, units }, { signal }) => kernelOf(session).wait(execution, wait, units, signal),
    status: async ({ session, execution }) => (await kernelOf(session).find(execution)).info,
    readOutput,
    searchOutput: async (args) => {
      const { info, output } = await kernelOf(args.session).find(args.execution);
      const stream = output.stream(args.stream);
      return { info, ...(await searchStream(options.programs.worker, stream, args)), missing: stream.missing };
    },
    searchHistory: async (args, { signal }) => {
      const kernel = kernelOf(args.session);
      const newest = await kernel.find(undefined).catch((error: unknown) => {
        if (error instanceof LoomError && error.code === 'EXECUTION_NOT_FOUND') return undefined;
        throw error;
      });
      const read = async (number: number): Promise<StreamText> => (await kernel.find(number)).output.stream('combined');
      return searchHistory(args, newest?.info.execution ?? 0, read, signal);
    },
    interrupt: async ({ session }) => kernelOf(session).interrupt(),
    reset: async ({ session, choice }) => {
      const kernel = kernelOf(session);
      await kernel.reset(choice);
      return stateOf(kernel);
    },
    state: async ({ session }) => stateOf(kernelOf(session)),
    close,
    dispose: () => void close(),
  };
};
