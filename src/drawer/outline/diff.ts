// The outline of a patch: its files with their changes.
import { counted, grouped } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Outline } from './outline.ts';

type File = { name: string; line: number; added: number; removed: number; hunks: number[] };

const hunk = /^@@+ -\d+(?:,(\d+))? .*?\+\d+(?:,(\d+))? @@/;

/** The name behind `+++ ` or `--- `, without the prefix that git writes. */
const nameOf = (line: string): string =>
  line
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/^[abciow]\//, '');

const startsFile = (lines: Lines, index: number, line: string): boolean =>
  line.startsWith('diff --git ') || (line.startsWith('--- ') && lines.text(index + 1, 8).startsWith('+++ '));

/** Files of a patch with their added and removed lines, and where their hunks begin. */
export function* outlineDiff(lines: Lines): Generator<void, Outline> {
  const files: File[] = [];
  let file: File | undefined;
  // Lines that a hunk still holds: a removed `-- x` looks like a file's header.
  let [old, now] = [0, 0];
  for (let index = 0; index < lines.count; index++) {
    if (index % 2048 === 2047) yield;
    const line = lines.text(index, 300);
    if (file && (old > 0 || now > 0) && /^[-+ ]|^$/.test(line)) {
      if (!line.startsWith('+')) old--;
      if (!line.startsWith('-')) now--;
      if (line.startsWith('+')) file.added++;
      if (line.startsWith('-')) file.removed++;
      continue;
    }
    const match = hunk.exec(line);
    if (match && file) {
      [old, now] = [Number(match[1] ?? 1), Number(match[2] ?? 1)];
      file.hunks.push(index + 1);
    } else if (startsFile(lines, index, line) && !(line.startsWith('--- ') && file && file.hunks.length === 0)) {
      file = { name: line.replace(/^diff --git .* b\//, ''), line: index + 1, added: 0, removed: 0, hunks: [] };
      files.push(file);
    }
    if (file && file.hunks.length === 0 && line.startsWith('+++ ')) {
      file.name = nameOf(line) === '/dev/null' ? `${nameOf(lines.text(index - 1, 300))} (deleted)` : nameOf(line);
    }
  }
  const sum = (key: 'added' | 'removed'): string => grouped(files.reduce((total, each) => total + each[key], 0));
  return {
    title: `${counted(files.length, 'file')}, +${sum('added')} −${sum('removed')}`,
    entries: files.map(({ name, line, added, removed, hunks }) => ({
      line,
      text: `${short(name, 120)} +${grouped(added)} −${grouped(removed)}${hunkWords(hunks)}`,
      rank: -(added + removed),
    })),
  };
}

const hunkWords = (hunks: readonly number[]): string => {
  if (hunks.length === 0) return '';
  const places = hunks.length > 6 ? `${hunks.slice(0, 6).join(', ')}, …` : hunks.join(', ');
  return ` (${counted(hunks.length, 'hunk')} at ${places})`;
};
