// The outline of a log: its messages, by how often they come.
import { counted, grouped } from '#base/text.ts';
import { readForms, type Form } from './forms.ts';
import type { Lines } from '#text/lines.ts';
import { short, type Entry, type Outline } from './outline.ts';

const shown = 200;

/** A line that goes on with the message above it: a stack frame, an indented detail. */
const continues = /^(\s+\S|Caused by:|\.\.\. \S+ more)/;

const entryOf = ({ template, count, first, last }: Form, rank: number): Entry => {
  const where = count === 1 ? `line ${first + 1}` : `lines ${first + 1}…${last + 1}`;
  return { text: `×${grouped(count)} (${where}) ${short(template, 140)}`, rank };
};

/** The messages of a log without what changes in them: how often each, and where it first and last stands. */
export function* outlineLog(lines: Lines): Generator<void, Outline> {
  const { forms, other } = yield* readForms(lines);
  const messages = forms.filter(({ template }) => !continues.test(template));
  const continued =
    forms.reduce((sum, form) => sum + form.count, 0) - messages.reduce((sum, form) => sum + form.count, 0);
  const notes = [
    continued > 0 ? `${counted(continued, 'indented line')} belonging to the message above` : '',
    other > 0 ? `${counted(other, 'line')} of further templates` : '',
  ].filter(Boolean);
  return {
    title: [`${counted(messages.length, 'message template')}, most frequent first`, ...notes].join('; '),
    entries: messages
      .toSorted((a, b) => b.count - a.count || a.first - b.first)
      .slice(0, shown)
      .map(entryOf),
  };
}
