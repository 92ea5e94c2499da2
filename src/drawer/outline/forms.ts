// The forms of the lines of a log, read once.
import type { Lines } from '#text/lines.ts';
import { templateOf } from '#text/template.ts';

/** Lines that differ only in what changes from line to line. Line numbers from 0. */
export type Form = { template: string; count: number; first: number; last: number };
export type Forms = {
  forms: readonly Form[];
  /** Lines of forms beyond those that are told apart. */
  other: number;
};

/** A file of ever new lines has no forms worth knowing. */
const mostForms = 20_000;

// The outline and the choice of lines both ask; a log is read once for them.
const known = new WeakMap<Lines, Forms>();

/** The forms of all lines that are not blank, in the order in which they first appear. */
export function* readForms(lines: Lines): Generator<void, Forms> {
  const before = known.get(lines);
  if (before) return before;
  const forms = new Map<string, Form>();
  let other = 0;
  for (let index = 0; index < lines.count; index++) {
    if (index % 512 === 511) yield;
    const template = templateOf(lines.text(index));
    if (template === '') continue;
    const form = forms.get(template);
    if (form) {
      form.count++;
      form.last = index;
    } else if (forms.size < mostForms) forms.set(template, { template, count: 1, first: index, last: index });
    else other++;
  }
  const read = { forms: Array.from(forms.values()), other };
  known.set(lines, read);
  return read;
}
