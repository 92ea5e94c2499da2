// The outline of a page: its title and headings.
import { counted } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

const title = /<title[^>]*>([^<]*)/i;
const headings = /<h([1-6])\b[^>]*>(.*?)(?:<\/h\1>|$)/gi;
const looked = 16_384;

const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ');

/** The title and the headings of a page. */
export function* outlineHtml(lines: Lines): Generator<void, Outline> {
  const entries: Entry[] = [];
  for (let index = 0; index < lines.count; index++) {
    if (index % 512 === 511) yield;
    const line = lines.text(index, looked);
    const named = title.exec(line)?.[1];
    if (named) entries.push({ line: index + 1, text: `<title> ${short(named, 120)}`, rank: 0 });
    for (const match of line.matchAll(headings)) {
      const text = short(plain(match[2] ?? ''), 100);
      if (text) entries.push({ line: index + 1, text: `<h${match[1]}> ${text}`, rank: Number(match[1]) });
    }
  }
  return { title: counted(entries.length, 'title or heading', 'titles and headings'), entries };
}
