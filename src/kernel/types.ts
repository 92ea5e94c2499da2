// What the kernel offers and what travels: services and data, in types. The views' program takes them too, so nothing here
// needs Node, and nothing here imports the room.
//
// A person and a model see a *cell* ("In [7]"). The code and the tools' arguments name the same thing an *execution*.
import type { Data } from '#base/operation.ts';

export const streamNames = ['combined', 'stdout', 'stderr', 'result', 'traceback', 'display'] as const;
export type StreamName = (typeof streamNames)[number];

export type ExecutionStatus = 'running' | 'completed' | 'error' | 'interrupted' | 'killed';

/** One accepted cell. Times are milliseconds since 1970. */
export type ExecutionInfo = {
  execution: number;
  status: ExecutionStatus;
  fullOutput: boolean;
  submittedAt: number;
  updatedAt: number;
  completedAt: number | undefined;
  kernelPid: number | undefined;
  /** The kernel's own counter; undefined until the cell ended. */
  kernelCount: number | undefined;
  error: { ename: string; evalue: string } | undefined;
  /** Why the kernel ended under the cell. */
  cause: string | undefined;
  totalLines: number;
  /** Output of its threads or tasks came after its end. */
  late: boolean;
};

/** An execution as lists show it. */
export type ExecutionRow = ExecutionInfo & {
  session: string;
  /** Bytes of the output that lie in a file of their own. */
  bytes: number;
  /** When its output was removed to make room. */
  goneAt: number | undefined;
};

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

export type KernelInfo = {
  engine: 'ipython' | 'plain' | 'ipykernel' | 'pyodide';
  engineVersion: string | null;
  python: string;
  executable: string;
  /** Undefined where the kernel is no process. */
  pid: number | undefined;
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

/** Aborts when the caller gives up. */
type Control = { signal: AbortSignal };

/** What the kernel's worker offers to the programs around it. All of it rejects with a LoomError. */
export type KernelService = {
  run: (args: RunArgs, control: Control) => Promise<ExecutionAnswer>;
  wait: (args: Selection & { wait: number; units: number }, control: Control) => Promise<ExecutionAnswer>;
  status: (args: Selection) => Promise<ExecutionInfo>;
  readOutput: (args: ReadArgs) => Promise<OutputPage>;
  searchOutput: (args: SearchOutputArgs) => Promise<FoundOutput>;
  /** Over the newest 200 executions of a session. */
  searchHistory: (args: SearchHistoryArgs, control: Control) => Promise<FoundInHistory>;
  /** The execution that was told to stop; undefined where none runs. */
  interrupt: (args: { session: string }) => Promise<{ execution: number | undefined; pid: number | undefined }>;
  reset: (args: { session: string; choice: KernelChoice }) => Promise<KernelState>;
  state: (args: { session: string }) => Promise<KernelState>;
};

/** An execution as the drawer keeps it. Small output stands in the record itself, more of it in a file. */
export type StoredExecution = {
  session: string;
  info: ExecutionInfo;
  /** Names the worker that ran it, and the process that worker lived in. */
  host: string;
  pid: number;
  /** Entries, one JSON a line. */
  entries: string | undefined;
  /** Name within the folder of executions. */
  file: string | undefined;
  /** What the file is sealed under: whoever holds the drawer's record can read it, and nobody else. */
  key: Uint8Array;
  bytes: number;
  /** When its output was removed to make room. */
  goneAt: number | undefined;
};

export type BeginExecution = {
  session: string;
  host: string;
  pid: number;
  key: Uint8Array;
  info: Omit<ExecutionInfo, 'execution'>;
};

type Searchable = { session: string; execution: number; text: string };

export type Kept = Pick<StoredExecution, 'session' | 'info' | 'entries' | 'file' | 'bytes'> & {
  /** What is kept of the output beside it; whoever composes `kernel.keep` knows what it is. */
  entry?: Data;
};

/** An output as the model that asked for it would have seen it: text, of `units` UTF-16 units in all. */
export type AskedOutput = { account: Account; text: string; units: number };

/** What the drawer's side offers to the kernel's worker. */
export type ExecutionStore = {
  beginExecution: (args: BeginExecution) => Promise<number>;
  keepExecution: (args: Omit<Kept, 'entry'> & { asked?: AskedOutput | undefined }) => Promise<void>;
  /** Puts an output where a search of the drawer finds it. */
  indexExecution: (args: Searchable) => Promise<void>;
  execution: (args: { session: string; execution?: number | undefined }) => Promise<StoredExecution | undefined>;
  dropExecutions: (args: { most: number; now: number }) => Promise<string[]>;
};

export type ExecutionsArgs = {
  /** Undefined: every session's. */
  session?: string | undefined;
  offset: number;
  limit: number;
};
export type ExecutionsPage = { rows: ExecutionRow[]; total: number };

/** For a person's views: the executions of every process, the latest first. */
export type ExecutionList = { executions: (args: ExecutionsArgs) => Promise<ExecutionsPage> };
