import type { z } from 'zod';
import type { CallControl } from '#base/rpc.ts';
import type { KernelChoice, ShownImage } from '#kernel/types.ts';
import type { Caller } from './caller.ts';
import type { EngineClient } from '#host/engine.ts';
import type { KernelClient } from '#host/kernels.ts';

/**
 * What running a tool does to the world:
 * `read` nothing; `keep` adds to Loom's own drawer and changes nothing that a person or an agent can see elsewhere;
 * `write` changes settings or rows of the drawer; `destructive` removes; `execute` runs code or commands.
 */
export type Effect = 'read' | 'keep' | 'write' | 'destructive' | 'execute';

/** What a router may call: a person's approval of a router covers nothing that removes or runs code. */
export type Routed = Exclude<Effect, 'destructive' | 'execute'>;

/** The rosters that a client can choose and join, `core+kernel` say; a tool names those that list it. */
export const rosterNames = ['core', 'drawer', 'kernel', 'ledger'] as const;
export type RosterName = (typeof rosterNames)[number];

/** `readonly` has every `read` and `keep` tool, `all` every tool; neither joins, and no tool names them. */
export const toolsetNames = [...rosterNames, 'readonly', 'all'] as const;
export type ToolsetName = (typeof toolsetNames)[number];

/** What a connection lists: one toolset, or rosters joined in the order of `rosterNames`. */
export type Toolset = ToolsetName | `${RosterName}+${string}`;

export type ToolContext = {
  engine: EngineClient;
  caller: Caller;
  /** The folders that the caller's tools may read, the workspace's first. */
  readableFolders: readonly string[];
  kernel: KernelClient;
  /** What a kernel is started with. */
  kernelChoice: () => Promise<KernelChoice>;
  /** Whether the workspace is trusted to have code run for it. */
  trusted: () => boolean;
  /** Whether ctx_store_cmd may run commands, and the folder they may write in. */
  storeCmd: () => { enabled: boolean; workspace: string | undefined };
  control: CallControl;
  /** Loom's own words with each tool named as this listing can call it. Never for content. */
  named: (words: string) => string;
  /** Whether this listing has a way to call the tool of this name. */
  offers: (tool: string) => boolean;
  /** The tools that match, as this listing can call them. */
  help: (query: string) => string;
};

export type Answer = {
  /** Text parts of at most `partLimit` UTF-16 units each. */
  parts: readonly string[];
  /** Shown after the text. */
  images?: readonly ShownImage[] | undefined;
  /** How much of the arguments was content to be stored. */
  through?: string | undefined;
  /** How much of the answer is stored content fetched again. */
  returned?: string | undefined;
  /** The answer for programs, as `output` of the tool describes it. */
  structured?: Readonly<Record<string, unknown>> | undefined;
  /** Documents (`d7`) and cells (`In [7]`) that came about, for the audit. */
  ids?: readonly string[] | undefined;
};

export type Tool<I extends z.ZodObject = z.ZodObject> = {
  /** `[a-z0-9_]`, at most 40: VS Code shows `mcp_loom_<name>` and cuts it at 64. */
  name: string;
  /** Words for a person. */
  title: string;
  /** For the model: when to use it, then when not. Under 1,024 characters; paid for on every turn where it is listed. */
  description: string;
  /** None: only `all` and `readonly` list it. */
  toolsets: readonly RosterName[];
  effect: Effect;
  /** Every field described. */
  input: I;
  /** Fields that are accepted and described in the docs, and left out of the listing: older names, rare wishes. */
  unlisted?: readonly (keyof z.input<I> & string)[];
  /** A right call, shown where the arguments were wrong. */
  example: z.input<I>;
  /** What `structured` of its answers holds, where it has any. */
  output?: z.ZodObject;
  /** A router: calls other tools of these effects by their name in `op`. It never routes what removes or runs code. */
  routes?: readonly Routed[];
  run: (args: z.output<I>, context: ToolContext) => Promise<Answer>;
};

/** Types one tool by its own input. The registry forgets that type: only the pipeline calls `run`, after validation. */
export const defineTool = <I extends z.ZodObject>(tool: Tool<I>): Tool => tool as unknown as Tool;
