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
  /** Why its output may not be all that it put out; what is known to be missing is told with the lines. */
  lost?: string | undefined;
};

/** An execution as lists show it. */
export type ExecutionRow = ExecutionInfo & {
  session: string;
  /** Bytes that are kept of its output. */
  bytes: number;
  /** When its output was removed to make room. */
  goneAt: number | undefined;
};

/** The folder beside the drawer that holds the files of outputs. */
export const outputsFolder = 'executions';

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
  /** Each line behind its number. */
  numbered?: boolean | undefined;
  units: number;
};

/** Lines that are not kept, with the units that they had. */
export type Missing = {
  from: number;
  to: number;
  units: number;
  /** `could not be written (ENOSPC: …)`; undefined where they were over the limit. */
  why: string | undefined;
};

/** What an answer about an output says of it as a whole. */
export type Wholeness = {
  /** Nothing of what was asked for is left out, now or for ever. */
  complete: boolean;
  missing: Missing | undefined;
  /** Why the output may not be all that the cell put out. */
  doubt: string | undefined;
};

export type OutputPage = Wholeness & {
  info: ExecutionInfo;
  text: string;
  totalLines: number;
  /** First and last line of `text`; last is first - 1 where there is none. */
  lines: readonly [number, number];
  cursor: string | undefined;
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

export type FoundOutput = Wholeness & {
  info: ExecutionInfo;
  interpretation: 'literal' | 'regex';
  matchedLines: number;
  matches: number;
  totalLines: number;
  /** `M n | line` for hits, `C n | line` for what stands around them. */
  text: string;
  cursor: string | undefined;
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
  /** Entries behind those of the file, one JSON a line. */
  entries: string | undefined;
  /** Name of its file in the folder of executions; undefined where its output is gone. The file may not be there. */
  file: string | undefined;
  /** What the file is sealed under: whoever holds the drawer's record can read it, and nobody else. */
  key: Uint8Array;
  /** Bytes in the file. */
  bytes: number;
  /** When its output was removed to make room. */
  goneAt: number | undefined;
};

/** The worker that runs a cell, and the process that it lives in. */
export type Host = {
  host: string;
  pid: number;
  /** When that process began, as the machine tells it; undefined where it does not. */
  started: string | undefined;
};

export type BeginExecution = Host &
  Pick<StoredExecution, 'session' | 'key'> & { file: string; info: Omit<ExecutionInfo, 'execution'> };

/** An output as the model that asked for it would have seen it: text, of `units` UTF-16 units in all. */
export type AskedOutput = { account: Account; text: string; units: number };

export type Kept = Pick<StoredExecution, 'session' | 'info' | 'entries' | 'bytes'> & {
  /** What is kept of the output beside it; whoever composes `kernel.keep` knows what it is. */
  entry?: Data;
};

/** Executions up to this number were purged with their session, at this time. */
export type Purge = { last: number; at: number };

/** What the drawer's side offers to the kernels' worker and to who started it. */
export type ExecutionStore = {
  /** Takes the next number of a session. From now on its record names the file that it may have. */
  beginExecution: (args: BeginExecution) => Promise<number>;
  /** False where there is no record to keep it in any more. */
  keepExecution: (args: Omit<Kept, 'entry'> & { asked?: AskedOutput | undefined }) => Promise<boolean>;
  /** Puts an output where a search of the drawer finds it. */
  indexExecution: (args: { session: string; execution: number; text: string }) => Promise<void>;
  execution: (args: { session: string; execution?: number | undefined }) => Promise<StoredExecution | undefined>;
  /** Every purge of a session, the first one first. */
  purges: (args: { session: string }) => Promise<Purge[]>;
  dropExecutions: (args: { most: number; now: number }) => Promise<string[]>;
  /**
   * Marks cells as killed whose host is gone, and removes files that no record names. `ended` names a worker of this
   * process that is known to be gone.
   */
  tidy: (args: { ended?: string }) => Promise<void>;
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
