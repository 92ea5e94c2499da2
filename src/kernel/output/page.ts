import { LoomError } from '#base/errors.ts';
import { parseRange } from './range.ts';
import type { StreamText } from './stream.ts';

export type PageArgs = {
  lines?: string | undefined;
  maxChars?: number | undefined;
  cursor?: string | undefined;
  /** Most UTF-16 units of the text. */
  units: number;
};

export type Page = { text: string; lines: readonly [number, number]; cursor: string | undefined };

/** `line.unit-last`: the next page begins within that line and ends with the last one. */
const parseCursor = (cursor: string): [line: number, unit: number, last: number] => {
  const match = /^(\d+)\.(\d+)-(\d+)$/.exec(cursor);
  if (!match) throw new LoomError('INVALID_ARGUMENTS', `cursor: "${cursor}" is none of ours. Read without a cursor.`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
};

export const clipped = (line: string, most: number | undefined): string =>
  most === undefined || line.length <= most ? line : `${line.slice(0, most)}...[${line.length - most} chars omitted]`;

/** The end of a cut at `end` units that leaves no surrogate pair in two. */
const wholeCut = (text: string, end: number): number =>
  end > 0 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;

/** One page of a stream: as many lines as fit, or as much of a line that does not. */
export const readPage = (stream: StreamText, { lines, maxChars, cursor, units }: PageArgs): Page => {
  const { from, to } = parseRange(lines, stream.totalLines);
  const [first, skipped, last] = cursor === undefined ? [from, 0, to] : parseCursor(cursor);
  const parts: string[] = [];
  let used = 0;
  let read = first - 1;
  for (const [n, line] of stream.lines(first)) {
    if (n > last) break;
    const shown = clipped(line, maxChars);
    const rest = n === first ? shown.slice(skipped) : shown;
    const room = units - used - 1;
    if (rest.length > room) {
      const start = n === first ? skipped : 0;
      // A line that would fit on a page of its own is not cut.
      const cut = parts.length > 0 ? 0 : wholeCut(rest, room);
      if (cut > 0) parts.push(rest.slice(0, cut));
      return { text: parts.join('\n'), lines: [first, cut > 0 ? n : read], cursor: `${n}.${start + cut}-${last}` };
    }
    parts.push(rest);
    used += rest.length + 1;
    read = n;
  }
  return { text: parts.join('\n'), lines: [first, read], cursor: undefined };
};
