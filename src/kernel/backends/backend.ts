// One running Python, whatever it runs on: what it is asked, and what it tells.
import type { KernelInfo } from '#kernel/types.ts';

/** Data of one display by MIME type: text, JSON values, or base64 where the type is binary. */
export type Bundle = { readonly [mime: string]: unknown };

/** What a kernel tells while it runs. `id` and `execution` name the one whose code (or thread, or task) it comes from. */
export type KernelEvent =
  /** Text in the order in which the program wrote it. */
  | { ev: 'stream'; chunks: readonly (readonly [stream: 'stdout' | 'stderr', execution: number, text: string])[] }
  | {
      ev: 'display' | 'result' | 'update' | 'clear';
      id: number;
      data: Bundle;
      metadata: Bundle;
      transient: { display_id?: string | null };
    }
  | { ev: 'error'; id: number; ename: string; evalue: string; traceback: readonly string[] }
  /** The last event of a cell that ran to its end; `count` is the kernel's own counter. */
  | { ev: 'done'; id: number; count: number | null };

/** How a kernel ended that nobody told to end. */
export type KernelEnd = {
  /** `exit code 3`, `signal SIGKILL`. */
  cause: string;
  /** What its process wrote last outside any cell; empty where there is nothing. */
  lastWords: string;
};

export type KernelListener = {
  onEvent: (event: KernelEvent) => void;
  /** Called once, after the last event; never for a kernel that was shut down. */
  onEnd: (end: KernelEnd) => void;
};

/** One running Python, whatever it runs on. A kernel executes one cell at a time; its owner sees to that. */
export type KernelSession = {
  readonly info: KernelInfo;
  execute: (id: number, code: string) => void;
  /** Asks the running cell to stop; its namespace stays. */
  interrupt: () => void;
  /** Ends the kernel and every process that it started. Resolves when they are gone. */
  shutdown: () => Promise<void>;
};
