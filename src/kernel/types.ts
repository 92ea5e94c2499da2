import type { Disposable } from '#base/disposable.ts';
import type { CallControl } from '#base/rpc.ts';
import type { ExecutionInfo, StreamName } from '#kernel/executions/executionInfo.ts';
import type { KernelInfo } from '#kernel/backends/backend.ts';

export {
  streamNames,
  type ExecutionInfo,
  type ExecutionStatus,
  type StreamName,
} from '#kernel/executions/executionInfo.ts';

export const backendNames = ['auto', 'ipython', 'plain', 'ipykernel', 'pyodide'] as const;
export type BackendName = (typeof backendNames)[number];

/** What a kernel is to run on, asked when one starts. */
export type KernelChoice = {
  backend: BackendName;
  /** The interpreter that a person named: no other is tried. */
  python?: string | undefined;
  /** Interpreters to try before those of the workspace and the PATH. */
  offered?: readonly string[] | undefined;
  /** The working directory: the workspace's folder. */
  cwd: string;
};

/** An image of a cell, as base64. */
export type ShownImage = { mime: string; data: string };

export type ExecutionAnswer = {
  info: ExecutionInfo;
  /** The combined output, whole or an excerpt of at most the units that were asked for. */
  text: string;
  /** `text` is all of it. */
  complete: boolean;
  /** What readOutput is to be asked for to see the rest: these lines, or all; undefined where nothing is left out. */
  rest: { lines?: string } | undefined;
  images: ShownImage[];
  /** What else the caller must know: a fresh kernel, images left out. */
  notes: string[];
};

/** The client and its conversation whose model asked for a cell, as the ledger names them. */
export type Account = { client: string; conversation: string };

export type RunArgs = {
  session: string;
  /** Undefined where a person ran it: what it puts out was never meant for a prompt. */
  account?: Account | undefined;
  code: string;
  choice: KernelChoice;
  /** Milliseconds; where it is left out, the cell's own directive or 10 s. */
  wait?: number | undefined;
  fullOutput?: boolean | undefined;
  interruptOnCancel?: boolean | undefined;
  /** Most UTF-16 units of the answer's text. */
  units: number;
};

type Selection = { session: string; execution?: number | undefined };

export type ReadArgs = Selection & {
  stream: StreamName;
  /** `120-180`, `120:180`, `:50`, `-20:`; both ends included, from 1, negative from the end. */
  lines?: string | undefined;
  /** Units of a line after which it is clipped. */
  maxChars?: number | undefined;
  raw?: boolean | undefined;
  mime?: string | undefined;
  cursor?: string | undefined;
  units: number;
};

export type OutputPage = {
  info: ExecutionInfo;
  text: string;
  totalLines: number;
  /** First and last line of `text`; last is first - 1 where there is none. */
  lines: readonly [number, number];
  cursor: string | undefined;
  /** Lines that were over the limit of what is kept. */
  missing: { from: number; to: number; units: number } | undefined;
  images: ShownImage[];
};

export type SearchOutputArgs = Selection & {
  query: string;
  stream: StreamName;
  mode: 'auto' | 'literal' | 'regex';
  before: number;
  after: number;
  ignoreCase: boolean;
  maxChars?: number | undefined;
  cursor?: string | undefined;
  units: number;
};

export type FoundOutput = {
  info: ExecutionInfo;
  interpretation: 'literal' | 'regex';
  matchedLines: number;
  matches: number;
  totalLines: number;
  /** `M n | line` for hits, `C n | line` for what stands around them. */
  text: string;
  cursor: string | undefined;
  missing: OutputPage['missing'];
};

export type SearchHistoryArgs = { session: string; query: string; limit: number };

/** Lines of outputs of a session that hold every word, the newest cells first. */
export type FoundInHistory = {
  lines: { execution: number; line: number; text: string }[];
  /** Lines that were found and do not stand here. */
  more: number;
  /** First and last execution that was looked at; undefined where none has been run. */
  searched: readonly [number, number] | undefined;
};

export type KernelState = {
  /** Undefined where none runs. */
  kernel: KernelInfo | undefined;
  /** How to get a better kernel, or what this one cannot do. */
  advice: string | undefined;
  cwd: string | undefined;
  /** The execution that runs, with its start. */
  current: ExecutionInfo | undefined;
  recent: ExecutionInfo | undefined;
  /** Why the last kernel ended by itself. */
  lastEnd: string | undefined;
};

export type KernelEvents = {
  /** Calls `listener` when a cell begins, and with undefined when it has ended. */
  onBusy: (listener: (execution: number | undefined) => void) => Disposable;
};

/** What the kernel's worker offers to the programs around it. All of it rejects with a LoomError. */
export type KernelService = {
  run: (args: RunArgs, control: CallControl) => Promise<ExecutionAnswer>;
  wait: (args: Selection & { wait: number; units: number }, control: CallControl) => Promise<ExecutionAnswer>;
  status: (args: Selection) => Promise<ExecutionInfo>;
  readOutput: (args: ReadArgs) => Promise<OutputPage>;
  searchOutput: (args: SearchOutputArgs) => Promise<FoundOutput>;
  /** Over the newest 200 executions of a session. */
  searchHistory: (args: SearchHistoryArgs, control: CallControl) => Promise<FoundInHistory>;
  /** The execution that was told to stop; undefined where none runs. */
  interrupt: (args: { session: string }) => Promise<{ execution: number | undefined; pid: number | undefined }>;
  reset: (args: { session: string; choice: KernelChoice }) => Promise<KernelState>;
  state: (args: { session: string }) => Promise<KernelState>;
};
