// A verb of `loom` is one constant: words, options, handler.
import type { Need, Services } from './room.ts';

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

/** The terminal that a verb speaks to. */
export type Terminal = {
  /** One line of the result. */
  print: (line: string) => void;
  /** The result as it is. */
  write: (bytes: Uint8Array | string) => void;
  /** One line for the person, beside the result. */
  note: (line: string) => void;
  /** Stdin, which may never end. */
  input: () => AsyncIterable<Uint8Array>;
  /** From its first call on Ctrl+C and SIGTERM abort this instead of ending the program; the second time they end it. */
  interruption: () => AbortSignal;
};

export type VerbCall<O extends Options = Options, N extends Need = never> = Terminal & {
  words: readonly string[];
  options: Values<O>;
} & Pick<Services, N>;

export type Verb<O extends Options = Options, N extends Need = Need> = {
  /** One word, or two: `audit verify`. */
  name: string;
  /** What it does, in one line. */
  summary: string;
  /** What follows the name. None: nothing may. */
  words?: { usage: string; least: number; most: number };
  options?: O;
  /** Examples and what its exit code says, where a person would not guess it. */
  more?: readonly string[];
  needs: readonly N[];
  /** Answers the exit code: 0 done, 1 not done or something found amiss. */
  run: (call: VerbCall<O, N>) => Promise<number>;
};

/** Types one verb by its own options and needs. The lists forget that type: only the command line runs them, after parsing. */
export const defineVerb = <const O extends Options, const N extends Need = never>(verb: Verb<O, N>): Verb =>
  verb as unknown as Verb;

/** For scripts: the result as one JSON document. */
export const json = { type: 'boolean', meaning: 'print the result as JSON' } as const;

export const printJson = ({ print }: Pick<Terminal, 'print'>, value: unknown): void =>
  print(JSON.stringify(value, undefined, 2));

/** What the command line itself got wrong; the usage is shown with it, and the exit code is 2. */
export class UsageError extends Error {}
