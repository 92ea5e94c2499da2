import type { Log } from '#base/log.ts';
import type { EngineClient } from '#host/engine.ts';
import type { Environment } from './environment.ts';

export type Option = {
  type: 'boolean' | 'string';
  /** Stands for the value in the usage. */
  value?: string;
  short?: string;
  meaning: string;
};
type Options = Readonly<Record<string, Option>>;
type Values<O extends Options> = {
  [K in keyof O]: O[K]['type'] extends 'boolean' ? boolean : string | undefined;
};

/** What a command may use of the program it runs in. */
export type CommandHost = {
  /** The folder of Loom's programs. */
  programs: string;
  env: NodeJS.ProcessEnv;
  environment: Environment;
  log: Log;
  /** The drawer's; started by its first call. */
  engine: EngineClient;
  /** One line of the result. */
  print: (line: string) => void;
  /** The result as it is. */
  write: (bytes: Uint8Array | string) => void;
  /** One line for the person, beside the result. */
  note: (line: string) => void;
  /** All of stdin. */
  input: () => Promise<Buffer>;
  /** From its first call on Ctrl+C and SIGTERM abort this instead of ending the program; the second time they end it. */
  interruption: () => AbortSignal;
};

export type Call<O extends Options = Options> = CommandHost & { words: readonly string[]; options: Values<O> };

export type Command<O extends Options = Options> = {
  /** One word, or two: `audit verify`. */
  name: string;
  /** What it does, in one line. */
  summary: string;
  /** What follows the name. None: nothing may. */
  words?: { usage: string; least: number; most: number };
  options?: O;
  /** Examples and what its exit code says, where a person would not guess it. */
  more?: readonly string[];
  /** Answers the exit code: 0 done, 1 not done or something found amiss. */
  run: (call: Call<O>) => Promise<number>;
};

/** Types one command by its own options. The list forgets that type: only `run.ts` runs them, after parsing. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command => command as unknown as Command;

/** For scripts: the result as one JSON document. */
export const json = { type: 'boolean', meaning: 'print the result as JSON' } as const;

export const printJson = ({ print }: CommandHost, value: unknown): void => print(JSON.stringify(value, undefined, 2));

/** What the command line itself got wrong; the usage is shown with it, and the exit code is 2. */
export class UsageError extends Error {}
