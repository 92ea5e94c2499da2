import type { Bundle } from '#kernel/backends/backend.ts';

/** One thing that a cell put out, as it is kept: everything else is made from these, in their order. */
export type Entry =
  | { kind: 'stdout' | 'stderr'; text: string }
  | { kind: 'result' | 'display' | 'update'; data: Bundle; metadata: Bundle; id?: string | undefined }
  | { kind: 'error'; ename: string; evalue: string; traceback: readonly string[] }
  /** The latest text of displays that were updated, at the cell's end. */
  | { kind: 'end' }
  /** Entries that were over the limit and are not kept, and how many lines each stream has in all. */
  | { kind: 'gap'; bytes: number; totalLines: { [stream: string]: number } };
