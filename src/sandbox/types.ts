/** What a command is run with. */
export type CommandArgs = {
  command: string;
  /** Absolute, inside `workspace`. */
  cwd: string;
  /** The only folder that the command may write in. */
  workspace: string;
  /** Folders of Loom's own that it may not read. */
  hidden: readonly string[];
  /** Folders and files that a person lets it read besides, wherever they lie. */
  readable: readonly string[];
  /** Variables of the environment that a person lets it have besides. */
  environment: readonly string[];
  timeoutMs: number;
  /** Most bytes of its output: at them it is stopped. */
  outputBytes: number;
};

/** A stretch of output, as it arrived. */
export type Output = { stream: 'stdout' | 'stderr'; bytes: Buffer };

/** What became of a command. Nothing here says what its output means. */
export type Ran = {
  exitCode: number | undefined;
  signal: string | undefined;
  /** Why it was stopped; undefined where it ended by itself. */
  stopped: 'timeout' | 'output' | 'processes' | 'cancelled' | undefined;
  /** Milliseconds. */
  duration: number;
  output: readonly Output[];
};
