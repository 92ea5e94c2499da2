import type { z } from 'zod';
import type { CallControl } from '#base/rpc.ts';
import type { KernelChoice, ShownImage } from '#kernel/service.ts';
import type { Caller } from './caller.ts';
import type { EngineClient } from './engine.ts';
import type { KernelClient } from './kernelHost.ts';

/**
 * What running a tool does to the world:
 * `read` nothing; `keep` adds to Loom's own drawer and changes nothing that a person or an agent can see elsewhere;
 * `write` changes settings or rows of the drawer; `destructive` removes; `execute` runs code or commands.
 */
export type Effect = 'read' | 'keep' | 'write' | 'destructive' | 'execute';

/** The listings that a client can choose; `all` has every tool and is not named by a tool. */
export const toolsetNames = ['core', 'drawer', 'kernel', 'ledger', 'all'] as const;
export type ToolsetName = (typeof toolsetNames)[number];

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
};

export type Tool<I extends z.ZodObject = z.ZodObject> = {
  /** `[a-z0-9_]`, at most 40: VS Code shows `mcp_loom_<name>` and cuts it at 64. */
  name: string;
  /** Words for a person. */
  title: string;
  /** For the model: when to use it, then when not. Under 1,024 characters; paid for on every turn where it is listed. */
  description: string;
  toolsets: readonly Exclude<ToolsetName, 'all'>[];
  effect: Effect;
  /** Every field described. */
  input: I;
  /** Fields that are accepted and described in the docs, and left out of the listing: older names, rare wishes. */
  unlisted?: readonly (keyof z.input<I> & string)[];
  /** A right call, shown where the arguments were wrong. */
  example: z.input<I>;
  run: (args: z.output<I>, context: ToolContext) => Promise<Answer>;
};

/** Types one tool by its own input. The registry forgets that type: only the pipeline calls `run`, after validation. */
export const defineTool = <I extends z.ZodObject>(tool: Tool<I>): Tool => tool as unknown as Tool;
