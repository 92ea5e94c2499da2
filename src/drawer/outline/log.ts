import { counted, grouped } from '#base/text.ts';
import type { Lines } from './lines.ts';
import { short, type Entry, type Outline } from './outline.ts';
import { templateOf } from './template.ts';

type Seen = { count: number; first: number; last: number };

/** Different templates that are told apart; a file of ever new lines is not a log. */
const mostTemplates = 20_000;
const shown = 200;

/** A line that goes on with the message above it: a stack frame, an indented detail. */
const continues = /^(\s+\S|Caused by:|\.\.\. \d+ more)/;

function* countTemplates(lines: Lines): Generator<void, { seen: Map<string, Seen>; continued: number; other: number }> {
  const seen = new Map<string, Seen>();
  let continued = 0;
  let other = 0;
  for (let index = 0; index < lines.count; index++) {
    if (index % 512 === 511) yield;
    const line = lines.text(index);
    if (line.trim() === '') continue;
    if (continues.test(line)) {
      continued++;
      continue;
    }
    const template = templateOf(line);
    const known = seen.get(template);
    if (known) {
      known.count++;
      known.last = index;
    } else if (seen.size < mostTemplates) seen.set(template, { count: 1, first: index, last: index });
    else other++;
  }
  return { seen, continued, other };
}

const entryOf = ([template, { count, first, last }]: [string, Seen], rank: number): Entry => {
  const where = count === 1 ? `line ${first + 1}` : `lines ${first + 1}…${last + 1}`;
  return { text: `×${grouped(count)} (${where}) ${short(template, 140)}`, rank };
};

/** The messages of a log without what changes in them: how often each, and where it first and last stands. */
export function* outlineLog(lines: Lines): Generator<void, Outline> {
  const { seen, continued, other } = yield* countTemplates(lines);
  const byCount = Array.from(seen).sort(([, a], [, b]) => b.count - a.count || a.first - b.first);
  const notes = [
    continued > 0 ? `${counted(continued, 'indented line')} belonging to the message above` : '',
    other > 0 ? `${counted(other, 'line')} of further templates` : '',
  ].filter(Boolean);
  return {
    title: [`${counted(seen.size, 'message template')}, most frequent first`, ...notes].join('; '),
    entries: byCount.slice(0, shown).map(entryOf),
  };
}
