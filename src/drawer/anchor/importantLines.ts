import { readForms, type Form } from '#drawer/outline/forms.ts';
import type { Lines } from '#text/lines.ts';
import { spreadOrder } from '#drawer/outline/spread.ts';
import { templateOf } from '#text/template.ts';
import type { Kind } from '#drawer/types.ts';

/** Why a line matters. */
export type Reason = 'failure' | 'constraint' | 'warning' | 'rare';
export type Salient = {
  /** The first line of its form, from 0. */
  index: number;
  last: number;
  /** Lines of the same form. */
  count: number;
  reason: Reason;
};

const failure =
  /\b(error|errors|err|fatal|fail|failed|fails|failure|failing|exception|panic|panicked|critical|traceback|assertion\w*|denied|refused|timeout|timed[ -]out|cannot|unable to|segfault|killed|oom|abort(ed)?|corrupt(ed)?|unreachable|not ok)\b|\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b.*[\s"]5\d\d(\s|$)/i;
/** The name of an exception's class. */
const exceptionName = /[a-z](Error|Exception)\b/;
const noFailure = /\b(0|no|without) (errors?|failures?|failed)\b|\b(errors?|failures?|failed)[:=] ?0\b/i;
const warning = /\b(warn|warning|deprecated|retry(ing)?|rejected|slow)\b/i;
const constraint =
  /\b(must|must not|mustn't|never|always|at most|at least|do not|don't|shall|required|forbidden|not allowed|only if|exactly one|no more than|no less than|invariant)\b/i;

/** Kinds in which the word `error` is a report and not an identifier. */
const reports: ReadonlySet<Kind> = new Set<Kind>(['log', 'plain', 'ndjson', 'csv']);

const reasonOf = (line: string, kind: Kind): Reason | undefined => {
  if (reports.has(kind)) {
    if ((failure.test(line) || exceptionName.test(line)) && !noFailure.test(line)) return 'failure';
    if (warning.test(line)) return 'warning';
  }
  return constraint.test(line) ? 'constraint' : undefined;
};

/** Lines that are kept apart where a text is no report. */
const mostLines = 5000;
/** A form is rare that so few lines have, in a text where most lines have a more frequent one. */
const rareCount = 2;

const fromForm = ({ first, last, count }: Form, reason: Reason): Salient => ({ index: first, last, count, reason });

function* salientForms(lines: Lines, kind: Kind): Generator<void, Salient[]> {
  const { forms } = yield* readForms(lines);
  const frequent = forms.reduce((sum, { count }) => sum + (count > rareCount ? count : 0), 0);
  const repetitive = frequent > lines.count / 2;
  return forms.flatMap((form) => {
    const reason = reasonOf(lines.text(form.first), kind);
    if (reason) return fromForm(form, reason);
    return repetitive && form.count <= rareCount ? fromForm(form, 'rare') : [];
  });
}

function* salientLines(lines: Lines, kind: Kind): Generator<void, Salient[]> {
  const forms = new Map<string, Salient>();
  for (let index = 0; index < lines.count; index++) {
    if (index % 1024 === 1023) yield;
    const line = lines.text(index);
    const reason = reasonOf(line, kind);
    if (!reason) continue;
    const template = templateOf(line.trim());
    const known = forms.get(template);
    if (known) Object.assign(known, { count: known.count + 1, last: index });
    else if (forms.size < mostLines) forms.set(template, { index, last: index, count: 1, reason });
  }
  return Array.from(forms.values());
}

/** The lines that matter, one a form: a failure that repeats a thousand times is one. In the order of the document. */
export const findSalient = (lines: Lines, kind: Kind): Generator<void, Salient[]> =>
  reports.has(kind) ? salientForms(lines, kind) : salientLines(lines, kind);

/** How often each reason gets its turn: failures first, but nothing crowds out all the rest. */
const turns: readonly Reason[] = ['failure', 'failure', 'constraint', 'rare', 'failure', 'warning'];

/** `salient` by importance, each reason spread over the document. */
export const byImportance = (salient: readonly Salient[]): Salient[] => {
  const queues = new Map<Reason, Salient[]>();
  for (const reason of new Set(turns)) {
    const own = salient.filter((each) => each.reason === reason);
    queues.set(
      reason,
      spreadOrder(own.length).flatMap((at) => own[at] ?? []),
    );
  }
  const ordered: Salient[] = [];
  for (let turn = 0; Array.from(queues.values()).some((queue) => queue.length > 0); turn++) {
    const next = queues.get(turns[turn % turns.length] ?? 'failure')?.shift();
    if (next) ordered.push(next);
  }
  return ordered;
};
