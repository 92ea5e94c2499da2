// Lines of a stream, a page at a time.
import { LoomError } from '#base/errors.ts';
import { grouped } from '#base/text.ts';
import { parseRange, resolveRange } from '#text/range.ts';
import type { Missing } from '#kernel/types.ts';
import type { StreamText } from './stream.ts';

export type PageArgs = {
  lines?: string | undefined;
  maxChars?: number | undefined;
  cursor?: string | undefined;
  numbered?: boolean | undefined;
  /** Most UTF-16 units of the text. */
  units: number;
};

export type Page = {
  text: string;
  lines: readonly [number, number];
  cursor: string | undefined;
  /** Nothing of what was asked for is left out, now or for ever. */
  complete: boolean;
};

/** `line.unit-last`: the next page begins within that line and ends with the last one. */
const parseCursor = (cursor: string): [line: number, unit: number, last: number] => {
  const match = /^(\d+)\.(\d+)-(\d+)$/.exec(cursor);
  if (!match) throw new LoomError('INVALID_ARGUMENTS', `cursor: "${cursor}" is none of ours. Read without a cursor.`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
};

/** All of it where no lines are named; nothing where they lie beyond its ends, which move while a cell runs. */
const selected = (lines: string | undefined, total: number): [first: number, unit: number, last: number] => {
  const { from, to } = resolveRange(lines === undefined ? [null, null] : parseRange(lines, 'lines'), total, 1);
  return [Math.min(from, total + 1), 0, Math.min(Math.max(to, 0), total)];
};

export const clipped = (line: string, most: number | undefined): string =>
  most === undefined || line.length <= most ? line : `${line.slice(0, most)}...[${line.length - most} chars omitted]`;

/** What stands in the place of lines that are missing. */
export const gapText = ({ from, to, why }: Missing): string =>
  `[lines ${grouped(from)}-${grouped(to)} ${why ?? 'were over the limit'} and are not kept]`;

/** The end of a cut at `end` units that leaves no surrogate pair in two. */
const wholeCut = (text: string, end: number): number =>
  end > 0 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;

const meets = ({ from, to }: Missing, first: number, last: number): boolean => to >= first && from <= last;

type Line = { n: number; line: string; gap: boolean };

/** The lines from `first` to `last`, with a line for those between that are missing. */
const linesOf = function* (stream: StreamText, first: number, last: number): Generator<Line> {
  const { missing } = stream;
  let gap = missing && meets(missing, first, last) ? missing : undefined;
  // It may begin within a line, which stands before it.
  const told = (of: Missing, before: number): Line => ({
    n: Math.max(of.from, before + 1),
    line: gapText(of),
    gap: true,
  });
  let before = 0;
  for (const [n, line] of stream.lines(first)) {
    if (gap && n > gap.to) {
      yield told(gap, before);
      gap = undefined;
    }
    if (n > last) return;
    yield { n, line, gap: false };
    before = n;
  }
  if (gap) yield told(gap, before);
};

/** One page of a stream: as many lines as fit, or as much of a line that does not. `open`: more may have come behind the last. */
export const readPage = (stream: StreamText, args: PageArgs, open = false): Page => {
  const { lines, maxChars, cursor, numbered, units } = args;
  const { totalLines, missing } = stream;
  const [first, skipped, last] = cursor === undefined ? selected(lines, totalLines) : parseCursor(cursor);
  const parts: string[] = [];
  let used = 0;
  let read = first - 1;
  for (const { n, line, gap } of linesOf(stream, first, last)) {
    const shown = gap ? line : clipped(line, maxChars);
    const start = n === first && !gap ? skipped : 0;
    const rest = shown.slice(start);
    const number = numbered && !gap ? `${n} | ` : '';
    const room = units - used - 1 - number.length;
    if (rest.length > room) {
      // A line that would fit on a page of its own is not cut.
      const cut = parts.length > 0 ? 0 : wholeCut(rest, room);
      if (cut > 0) parts.push(number + rest.slice(0, cut));
      const next = `${n}.${start + cut}-${last}`;
      return { text: parts.join('\n'), lines: [first, cut > 0 ? n : read], cursor: next, complete: false };
    }
    parts.push(number + rest);
    used += number.length + rest.length + 1;
    if (!gap) read = n;
  }
  const complete = !(missing && meets(missing, first, last)) && !(open && last >= totalLines);
  return { text: parts.join('\n'), lines: [first, read], cursor: undefined, complete };
};
