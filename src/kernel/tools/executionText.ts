// Cells in words.
import { grouped } from '#base/text.ts';
import type { ExecutionAnswer, ExecutionInfo } from '#kernel/types.ts';
import type { Answer } from '#mcp/defineTool.ts';

/** Room for the header, notes, and what follows the output. */
export const headerUnits = 900;

/** Seconds that one call may wait: the pipeline's own deadline is a little later. */
const mostSeconds = 280;

/** A caller's seconds as milliseconds. */
export const milliseconds = (seconds: number): number => Math.min(seconds, mostSeconds) * 1_000;

export const secondsText = (info: ExecutionInfo): string =>
  `${(((info.completedAt ?? Date.now()) - info.submittedAt) / 1_000).toFixed(1)} s`;

const next = ({ status, execution, cause }: ExecutionInfo): string[] => {
  if (status === 'running' && cause !== undefined) return [cause];
  if (status === 'running')
    return [
      `still running: wait_python {"execution":${execution}} waits, read_python_output {"execution":${execution}} reads what is there, ` +
        'interrupt_python stops it.',
    ];
  return status === 'killed'
    ? [`killed: ${cause ?? 'the kernel ended'}. The next run_python starts a fresh kernel.`]
    : [];
};

const restOf = ({ info: { execution }, rest }: ExecutionAnswer): string[] =>
  rest === undefined
    ? []
    : [
        `the rest: read_python_output ${JSON.stringify({ execution, ...rest })}, or search_python_output {"execution":${execution},"query":"…"}`,
      ];

/** One header line, what must be known, the output, and what to do where it goes on. */
export const executionText = (answer: ExecutionAnswer, named: (words: string) => string): string => {
  const { info, text, complete, notes } = answer;
  const header = `In [${info.execution}] ${info.status}, ${secondsText(info)}, complete: ${complete ? 'yes' : 'no'}`;
  const hints = [...restOf(answer), ...next(info)].map(named);
  return [header, ...notes, ...(text === '' ? [] : [text]), ...hints].join('\n');
};

export const executionAnswer = (answer: ExecutionAnswer, named: (words: string) => string): Answer => ({
  parts: [executionText(answer, named)],
  images: answer.images,
  ids: [`In [${answer.info.execution}]`],
});

/** The facts of an execution, one a line. */
export const infoText = (info: ExecutionInfo): string => {
  const time = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  const facts = {
    submitted_at: time(info.submittedAt),
    updated_at: time(info.updatedAt),
    completed_at: time(info.completedAt),
    kernel_pid: info.kernelPid,
    kernel_count: info.kernelCount,
    full_output: info.fullOutput || undefined,
    output_lines: grouped(info.totalLines),
    late_output: info.late || undefined,
    error: info.error && [info.error.ename, info.error.evalue].filter((part) => part).join(': '),
    cause: info.cause,
  };
  return [
    `In [${info.execution}] ${info.status}, ${secondsText(info)}`,
    ...Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
  ].join('\n');
};
