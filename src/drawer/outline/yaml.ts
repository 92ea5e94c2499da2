// The outline of YAML: the keys of its outer levels.
import { counted } from '#base/text.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

const key = /^( *)((?:- +)*)("[^"]*"|'[^']*'|[^\s#:'"&*!|>%@`{[-][^:#]*?) *:(?: +(.*))?$/;
const item = /^( *)- /;

type Open = { entry: Entry & { keys: number; items: number; value: string }; indent: number };

/** Keys of the outer three levels with their lines, and how many keys or items stand below each. */
export function* outlineYaml(lines: Lines): Generator<void, Outline> {
  const entries: Open['entry'][] = [];
  const open: Open[] = [];
  let block: number | undefined;
  for (let index = 0; index < lines.count; index++) {
    if (index % 1024 === 1023) yield;
    const line = lines.text(index);
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    // The text below `key: |` is no YAML.
    if (block !== undefined && indent > block) continue;
    block = undefined;
    const match = key.exec(line);
    const place = indent + (match?.[2]?.length ?? 0);
    const dashed = item.test(line);
    // A list may stand at the same depth as the key that it belongs to.
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= (dashed ? indent + 1 : place)) open.pop();
    const parent = open.at(-1)?.entry;
    if (dashed && parent) parent.items++;
    if (!match) continue;
    if (parent && !dashed) parent.keys++;
    const value = match[4] ?? '';
    if (/^[|>][+-]?\d*\s*$/.test(value)) block = indent;
    const depth = open.length;
    const text = `${'.'.repeat(depth)}${short(match[2] ?? '', 4)}${dashed ? ' ' : ''}${short(match[3] ?? '', 60)}:`;
    const entry = { line: index + 1, text, rank: depth, keys: 0, items: 0, value: short(value, 50) };
    open.push({ entry, indent: place });
    if (depth < 3 && !(dashed && depth > 1)) entries.push(entry);
  }
  return {
    title: `${counted(entries.length, 'key')} of the outer levels`,
    entries: entries.map(({ line, text, rank, keys, items, value }) => {
      const below = items > 0 ? counted(items, 'item') : keys > 0 ? counted(keys, 'key') : '';
      return { line, text: `${text} ${below ? `{${below}}` : value}`.trimEnd(), rank };
    }),
  };
}
