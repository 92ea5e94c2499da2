// What a cell put out, thing by thing.
import type { Bundle } from '#kernel/backends/backend.ts';

/** One thing that a cell put out, as it is kept: everything else is made from these, in their order. */
export type Entry =
  | { kind: 'stdout' | 'stderr'; text: string }
  | { kind: 'result' | 'display' | 'update'; data: Bundle; metadata: Bundle; id?: string | undefined }
  | { kind: 'error'; ename: string; evalue: string; traceback: readonly string[] }
  /** The latest text of displays that were updated, at the cell's end. */
  | { kind: 'end' }
  /**
   * Entries that are not kept: of which kinds, after which of those the next text begins within a line, why (undefined: over
   * the limit), and how many lines each stream has in all.
   */
  | {
      kind: 'gap';
      bytes: number;
      totalLines: { [stream: string]: number };
      of?: readonly string[];
      within?: readonly string[];
      why?: string | undefined;
      /** They were kept, and are damaged on disk. */
      damaged?: true;
    };
