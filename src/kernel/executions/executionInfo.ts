// What is known of a cell. The webview's program takes these types too, so nothing here needs Node.

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
