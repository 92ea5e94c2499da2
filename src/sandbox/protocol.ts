/** What the sandbox's program is told, as one line of JSON on its stdin. That stdin ends means: end everything. */
export type Request = {
  command: string;
  cwd: string;
  workspace: string;
  hidden: readonly string[];
  readable: readonly string[];
  environment: readonly string[];
};

/** What it answers with, as lines of JSON on descriptor 3. The command's own output goes to its stdout and stderr. */
export type Report =
  /** There is no sandbox on this machine: nothing was run. */
  | { kind: 'refused'; why: string }
  /** The sandbox stands, and the command begins. Without this report nothing of the command ran. */
  | { kind: 'began' }
  | { kind: 'ended'; exitCode: number | null; signal: string | null; duration: number }
  | { kind: 'stopped'; why: 'processes' };

export const reportDescriptor = 3;
/** Processes that one command may have at a time. */
export const mostProcesses = 256;
