// What the kernel's tab asks. Types only: the page takes them too, so nothing here needs Node.
import type { Page, Stretch } from '#base/page.ts';
import type { ExecutionRow } from './executions/executionInfo.ts';

export type KernelAsks = {
  executions: { args: { session?: string | undefined } & Stretch; answer: Page<ExecutionRow> };
};
