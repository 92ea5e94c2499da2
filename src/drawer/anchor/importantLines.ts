// The lines of a text that matter: what failed, what must be, what is rare.
import type { Kind } from '#drawer/contents.ts';
import { readForms, type Form } from '#drawer/outline/forms.ts';
import { spreadOrder } from '#drawer/outline/spread.ts';
import { lineKindOf, type LineKind } from '#text/lineKinds.ts';
import type { Lines } from '#text/lines.ts';
import { templateOf } from '#text/template.ts';

/** Why a line matters. */
export type Reason = LineKind | 'rare';
export type ImportantLine = {
  /** The first line of its form, from 0. */
  index: number;
  last: number;
  /** Lines of the same form. */
  count: number;
  reason: Reason;
};

/** Kinds in which the word `error` is a report and not an identifier. */
const reports: ReadonlySet<Kind> = new Set<Kind>(['log', 'plain', 'ndjson', 'csv']);

/** Forms that are told apart where a text is no report. */
const mostForms = 5000;
/** A form is rare that so few lines have, in a text where most lines have a more frequent one. */
const rareCount = 2;

const fromForm = ({ first, last, count }: Form, reason: Reason): ImportantLine => ({
  index: first,
  last,
  count,
  reason,
});

function* inReport(lines: Lines): Generator<void, ImportantLine[]> {
  const { forms } = yield* readForms(lines);
  const frequent = forms.reduce((sum, { count }) => sum + (count > rareCount ? count : 0), 0);
  const repetitive = frequent > lines.count / 2;
  return forms.flatMap((form) => {
    const reason = lineKindOf(lines.text(form.first), true);
    if (reason) return fromForm(form, reason);
    return repetitive && form.count <= rareCount ? fromForm(form, 'rare') : [];
  });
}

function* inOtherText(lines: Lines): Generator<void, ImportantLine[]> {
  const forms = new Map<string, ImportantLine>();
  for (let index = 0; index < lines.count; index++) {
    if (index % 1024 === 1023) yield;
    const line = lines.text(index);
    const reason = lineKindOf(line, false);
    if (!reason) continue;
    const template = templateOf(line.trim());
    const known = forms.get(template);
    if (known) Object.assign(known, { count: known.count + 1, last: index });
    else if (forms.size < mostForms) forms.set(template, { index, last: index, count: 1, reason });
  }
  return Array.from(forms.values());
}

/** The lines that matter, one a form: a failure that repeats a thousand times is one. In the order of the document. */
export const findImportant = (lines: Lines, kind: Kind): Generator<void, ImportantLine[]> =>
  reports.has(kind) ? inReport(lines) : inOtherText(lines);

/** How often each reason gets its turn: failures first, but nothing crowds out all the rest. */
const turns: readonly Reason[] = ['failure', 'failure', 'constraint', 'rare', 'failure', 'warning'];

/** The most important first, those of each reason spread over the document. */
export const byImportance = (important: readonly ImportantLine[]): ImportantLine[] => {
  const queues = new Map<Reason, ImportantLine[]>();
  for (const reason of new Set(turns)) {
    const own = important.filter((each) => each.reason === reason);
    queues.set(
      reason,
      spreadOrder(own.length).flatMap((at) => own[at] ?? []),
    );
  }
  const ordered: ImportantLine[] = [];
  for (let turn = 0; Array.from(queues.values()).some((queue) => queue.length > 0); turn++) {
    const next = queues.get(turns[turn % turns.length] ?? 'failure')?.shift();
    if (next) ordered.push(next);
  }
  return ordered;
};
