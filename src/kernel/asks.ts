// What the kernel's tab asks. Types only: the page takes them too, so nothing here needs Node.
import type { Page, RowRange } from '#base/page.ts';
import type { ExecutionRow } from './types.ts';

export type KernelAsks = {
  executions: { args: { session?: string | undefined } & RowRange; answer: Page<ExecutionRow> };
};
