// The line that a caller named, with those around it, as it stands in an anchor.
import { grouped } from '#base/text.ts';

/** Lines shown on each side of it, and UTF-16 units of one. */
const around = 5;
const longest = 200;

/** Lines `from` to `to`, from 1, with their numbers. */
const numbered = (bytes: Buffer, from: number, to: number): string[] => {
  const lines: string[] = [];
  let at = 0;
  for (let line = 1; line <= to && at < bytes.length; line++) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end + 1;
    if (line >= from) {
      const text = bytes.toString('utf8', at, next).replace(/\r?\n$/, '');
      lines.push(`${line}: ${text.length > longest ? `${text.slice(0, longest)}…` : text}`);
    }
    at = next;
  }
  return lines;
};

/** What an anchor says of the line `focus` of a document that has `total`. */
export const focusText = (bytes: Buffer, focus: number, total: number): string => {
  if (focus < 1 || focus > total) return `-- line ${grouped(focus)}: not there, it has ${grouped(total)}`;
  const [from, to] = [Math.max(1, focus - around), Math.min(total, focus + around)];
  return [`-- around line ${focus}, verbatim`, ...numbered(bytes, from, to)].join('\n');
};
