// The outline of Markdown: its headings.
import { counted } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

const fence = /^ {0,3}(```|~~~)/;
const heading = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;
const underline = /^ {0,3}(=+|-+)\s*$/;

/** Headings with their lines; those of a deeper level are left out first. */
export function* outlineMarkdown(lines: Lines): Generator<void, Outline> {
  const entries: Entry[] = [];
  let fenced: string | undefined;
  let before = '';
  const add = (level: number, text: string, index: number): void => {
    entries.push({ line: index + 1, text: `${'#'.repeat(level)} ${short(text, 100)}`, rank: level });
  };
  for (let index = 0; index < lines.count; index++) {
    if (index % 2048 === 2047) yield;
    const line = lines.text(index);
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (fenced === undefined || fenced === mark))
      fenced = fenced === undefined ? mark : undefined;
    else if (fenced === undefined) {
      const match = heading.exec(line);
      if (match) add(match[1]?.length ?? 1, match[2] ?? '', index);
      else if (/^\s*[^\s#>|*+-]/.test(before) && underline.test(line))
        add(line.includes('=') ? 1 : 2, before, index - 1);
    }
    before = fenced === undefined ? line : '';
  }
  return { title: counted(entries.length, 'heading'), entries };
}
