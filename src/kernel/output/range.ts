// Lines that a caller asks for.
import { LoomError } from '#base/errors.ts';

/** First and last line of a selection, both included; nothing is selected where last < first. */
export type LineRange = { from: number; to: number };

const bad = (text: string): never => {
  throw new LoomError(
    'INVALID_ARGUMENTS',
    `lines: "${text}" is no range. Write "120-180" or "120:180"; ":50" is the first 50, "-20:" the last 20.`,
  );
};

/** `120-180`, `120:180`, `120`, or with an end left out or counted from the last line (-1) around a colon. */
export const parseRange = (text: string | undefined, total: number): LineRange => {
  if (text === undefined) return { from: 1, to: total };
  const dashed = /^\s*(\d+)\s*(?:(?:-|\.\.)\s*(\d+)\s*)?$/.exec(text);
  const match = dashed ?? /^\s*([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*$/.exec(text) ?? bad(text);
  const line = (part: string | undefined, otherwise: number): number => {
    if (part === undefined) return otherwise;
    const n = Number(part);
    return n < 0 ? total + n + 1 : n;
  };
  const from = line(match[1], 1);
  const to = line(match[2], dashed ? from : total);
  return { from: Math.min(Math.max(from, 1), total + 1), to: Math.min(Math.max(to, 0), total) };
};
