// A tool is one constant: words, schema, effect, handler. Nothing about it stands elsewhere.
import type { z } from 'zod';
import type { Need, Services } from '#base/room.ts';
import type { CallControl } from '#base/rpc.ts';
import type { Caller } from './caller.ts';

/**
 * What running a tool does to the world:
 * `read` nothing; `keep` adds to Loom's own drawer and changes nothing that a person or an agent can see elsewhere;
 * `write` changes settings or rows of the drawer; `destructive` removes; `execute` runs code or commands.
 */
export type Effect = 'read' | 'keep' | 'write' | 'destructive' | 'execute';

/** What a router may call: a person's approval of a router covers nothing that removes or runs code. */
export type Routed = Exclude<Effect, 'destructive' | 'execute'>;

/** What a tool is given: who calls, how the call is followed, and the services that it needs. */
export type ToolContext<N extends Need = never> = {
  caller: Caller;
  control: CallControl;
  /** Loom's own words with each tool named as this listing can call it. Never for content. */
  named: (words: string) => string;
} & Pick<Services, N>;

/** A picture as base64. */
export type Image = { mime: string; data: string };

export type Answer = {
  /** Text parts of at most `partLimit` UTF-16 units each. */
  parts: readonly string[];
  /** Shown after the text. */
  images?: readonly Image[] | undefined;
  /** How much of the arguments was content to be stored. */
  through?: string | undefined;
  /** How much of the answer is stored content fetched again. */
  returned?: string | undefined;
  /** The answer for programs, as `output` of the tool describes it. */
  structured?: Readonly<Record<string, unknown>> | undefined;
  /** Documents (`d7`) and cells (`In [7]`) that came about, for the audit. */
  ids?: readonly string[] | undefined;
};

export type Tool<I extends z.ZodObject = z.ZodObject, N extends Need = Need> = {
  /** `[a-z0-9_]`, at most 40: VS Code shows `mcp_loom_<name>` and cuts it at 64. */
  name: string;
  /** Words for a person. */
  title: string;
  /** For the model: when to use it, then when not. Under 1,024 characters; paid for on every turn where it is listed. */
  description: string;
  /** `core`, or names of rooms. None: only `all` and `readonly` list it. */
  toolsets: readonly string[];
  effect: Effect;
  /** Every field described. */
  input: I;
  /** Fields that are accepted and described in the docs, and left out of the listing: older names, rare wishes. */
  unlisted?: readonly (keyof z.input<I> & string)[];
  /**
   * Optional fields that choose what a call that changes something acts on: an empty one is refused, while any other that is
   * empty counts as left out.
   */
  selects?: readonly (keyof z.input<I> & string)[];
  /** What fields are called in contracts that this tool answers too. */
  otherNames?: Readonly<Record<string, keyof z.input<I> & string>>;
  /** A right call, shown where the arguments were wrong. */
  example: z.input<I>;
  /** What `structured` of its answers holds, where it has any. */
  output?: z.ZodObject;
  /** A router: calls other tools of these effects by their name in `op`. It never routes what removes or runs code. */
  routes?: readonly Routed[];
  /** The services that `run` uses: nothing else is in its context. */
  needs: readonly N[];
  run: (args: z.output<I>, context: ToolContext<N>) => Promise<Answer>;
};

/** Types one tool by its own input and needs. The lists forget that type: only the pipeline calls `run`, after validation. */
export const defineTool = <I extends z.ZodObject, const N extends Need = never>(tool: Tool<I, N>): Tool =>
  tool as unknown as Tool;
