// What the kernel's parts of the views say.
import type { ExecutionStatus, StreamName } from '#kernel/types.ts';
import type { L10n, Plural } from '#vscode/views/words.ts';

export const kernelWords = (l10n: L10n) => ({
  kernel: l10n.t('Kernel'),
  count: [l10n.t('{0} cell'), l10n.t('{0} cells')] as Plural,
  cell: l10n.t('Cell'),
  status: l10n.t('Status'),
  submitted: l10n.t('Submitted'),
  took: l10n.t('Took'),
  linesColumn: l10n.t('Lines'),
  none: l10n.t('No cell has been run.'),
  noneHint: l10n.t('Select Python code and run Loom: Run Selection in Kernel, or ask an agent to compute something.'),
  noneSelected: l10n.t('Select a cell to see how it ended and to open what it put out.'),
  error: l10n.t('Error'),
  cause: l10n.t('Ended by'),
  late: l10n.t('Output came after its end'),
  gone: l10n.t('Its output was removed to make room, {0}.'),
  output: l10n.t('Output'),
  streams: {
    combined: l10n.t('Open All Output'),
    stdout: l10n.t('stdout'),
    stderr: l10n.t('stderr'),
    result: l10n.t('Result'),
    traceback: l10n.t('Traceback'),
    display: l10n.t('Displays'),
  } satisfies Record<StreamName, string>,
  statuses: {
    running: l10n.t('running'),
    completed: l10n.t('completed'),
    error: l10n.t('error'),
    interrupted: l10n.t('interrupted'),
    killed: l10n.t('killed'),
  } satisfies Record<ExecutionStatus, string>,
});

export type KernelWords = ReturnType<typeof kernelWords>;
