// As much of an output as fits into an answer.
import { counted, grouped } from '#base/text.ts';
import { clipped, gapText } from './page.ts';
import type { ExecutionAnswer } from '#kernel/types.ts';
import type { StreamText } from './stream.ts';

/** Lines up to which an output is given whole, where it fits. */
export const lineLimit = 300;
const headLines = 40;
const tailLines = 60;
const mostErrorLines = 20;
/** Units of one line in an excerpt. */
const lineUnits = 500;

const telling = /\b(?:error|errors|exception|traceback|fail|failed|failure|fatal|panic|critical)\b|Error\b/i;

/** As many of `lines` as fit into `units`. */
const fitting = <L>(lines: Iterable<L>, units: number, textOf: (line: L) => string): L[] => {
  const taken: L[] = [];
  for (const line of lines) {
    units -= textOf(line).length + 1;
    if (units < 0) break;
    taken.push(line);
  }
  return taken;
};

/** The last lines from `after` on that fit, in order. */
const tailOf = (stream: StreamText, after: number, units: number): [number, string][] => {
  const last: [number, string][] = [];
  // So many lines can fit at all.
  const from = Math.max(after + 1, stream.totalLines - lineLimit);
  for (const [n, line] of stream.lines(from)) if (n > after) last.push([n, clipped(line, lineUnits)]);
  return fitting(last.toReversed(), units, ([, line]) => line).toReversed();
};

/**
 * The whole output where it is short, else its first and last lines and the lines between that tell of errors, with how
 * many are left out. `rest` says what is to be read for those: these lines, or everything where only long lines were clipped.
 */
export const excerpt = (
  stream: StreamText,
  units: number,
  maxLines: number = lineLimit,
): { text: string; complete: boolean; rest: ExecutionAnswer['rest'] } => {
  const { totalLines, missing } = stream;
  if (totalLines <= maxLines && stream.units <= units && missing === undefined)
    return { text: stream.text, complete: true, rest: undefined };
  const budget = units - 400;
  const first = fitting(stream.lines(), budget * 0.35, ([, line]) => clipped(line, lineUnits));
  const head = first.slice(0, headLines);
  const headEnd = head.at(-1)?.[0] ?? 0;
  const tail = tailOf(stream, headEnd, budget * 0.4).slice(-tailLines);
  const tailStart = tail[0]?.[0] ?? totalLines + 1;
  const errors: string[] = [];
  for (const [n, line] of stream.lines(headEnd + 1)) {
    if (n >= tailStart || errors.length === mostErrorLines) break;
    if (telling.test(line)) errors.push(`${n} | ${clipped(line, lineUnits / 2)}`);
  }
  const [from, to] = [headEnd + 1, tailStart - 1];
  const between =
    to < from
      ? []
      : [
          `[${counted(to - from + 1, 'line')} left out: ${grouped(from)}-${grouped(to)} of ${grouped(totalLines)}]`,
          ...fitting(errors, budget * 0.25, (line) => line),
        ];
  if (missing !== undefined) between.push(gapText(missing));
  const text = [...head.map(([, line]) => clipped(line, lineUnits)), ...between, ...tail.map(([, line]) => line)];
  const cut = [...head, ...tail].length === totalLines && missing === undefined;
  if (cut) text.push('[long lines are clipped]');
  return { text: text.join('\n'), complete: false, rest: to < from ? {} : { lines: `${from}-${to}` } };
};
