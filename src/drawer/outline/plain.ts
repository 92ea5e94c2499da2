// The outline of text without markup: lines that look like titles.
import { counted } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

/** A line that names what follows: numbered, in capitals, or ending in a colon, after an empty line. */
const looksLikeTitle = /^(\d+(\.\d+)*[.)]?\s+\S.{0,80}|[A-Z][A-Z0-9 ,:&/-]{4,80}|\S.{0,80}:)$/;

/** Lines that look like titles, since text without markup has no more of a shape. */
export function* outlinePlain(lines: Lines): Generator<void, Outline> {
  const entries: Entry[] = [];
  let blank = true;
  for (let index = 0; index < lines.count; index++) {
    if (index % 2048 === 2047) yield;
    const line = lines.text(index, 120).trimEnd();
    if (blank && looksLikeTitle.test(line)) {
      entries.push({ line: index + 1, text: short(line, 90), rank: entries.length });
    }
    blank = line === '';
  }
  return { title: counted(entries.length, 'line that looks like a title', 'lines that look like titles'), entries };
}
