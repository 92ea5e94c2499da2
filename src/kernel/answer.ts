// What run_python and wait_python are answered with.
import { LoomError } from '#base/errors.ts';
import { imagesOf } from '#kernel/output/displays.ts';
import { excerpt, lineLimit } from '#kernel/output/excerpt.ts';
import type { Execution } from '#kernel/executions/execution.ts';
import type { Readable } from '#kernel/executions/history.ts';
import type { ExecutionAnswer } from './types.ts';

/** Units of a marked output that are given whole; more of it is read by pages. */
const fullOutputUnits = 160_000;

export const answerOf = (
  { info, output, doubt }: Omit<Readable, 'entries'>,
  units: number,
  notes: readonly string[],
): ExecutionAnswer => {
  const running = info.status === 'running';
  const whole = info.fullOutput && !running;
  const { text, complete, rest } = excerpt(
    output.stream('combined'),
    whole ? fullOutputUnits : units,
    whole ? Number.POSITIVE_INFINITY : lineLimit,
  );
  const shown = imagesOf(output.displays);
  return {
    info,
    text,
    complete: complete && !running && doubt === undefined,
    rest,
    images: shown.images,
    // Where a cell runs in another process its cause is told already.
    notes: [...notes, ...(doubt === undefined || doubt === info.cause ? [] : [doubt]), ...shown.notes],
  };
};

/** Of a cell that the caller waited for, whatever became of its record. */
export const answerOfOwn = (execution: Execution, units: number, notes: readonly string[]): ExecutionAnswer => {
  const { info, output, doubt, purgedAt } = execution;
  if (purgedAt === undefined) return answerOf({ info, output, doubt }, units, notes);
  const purged = `its session was purged while it ran (${new Date(purgedAt).toISOString()}): what it put out is not kept`;
  return answerOf({ info, output, doubt: purged }, units, notes);
};

/** Why a cell is not run. */
export const busyWith = (current: Execution | undefined): LoomError => {
  if (current === undefined) return new LoomError('KERNEL_BUSY', 'The kernel is just being started. Call again.');
  const { execution, submittedAt } = current.info;
  const seconds = ((Date.now() - submittedAt) / 1_000).toFixed(1);
  return new LoomError(
    'KERNEL_BUSY',
    `Execution ${execution} has been running for ${seconds} s; nothing is queued and this cell was not run. ` +
      `Wait with wait_python {"execution":${execution}}, stop it with interrupt_python, or end it with reset_python.`,
  );
};
