import type { Lines } from './outline/lines.ts';
import { templateOf } from './outline/template.ts';
import type { Kind } from './service.ts';

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

/** Forms that are kept apart. */
const mostForms = 20_000;
/** A form is rare that so few lines have, in a text where most lines have a frequent one. */
const rareCount = 2;

/** The lines that matter, one a form: a failure that repeats a thousand times is one. In the order of the document. */
export function* findSalient(lines: Lines, kind: Kind): Generator<void, Salient[]> {
  const forms = new Map<string, Salient & { plain: boolean }>();
  let frequent = 0;
  for (let index = 0; index < lines.count; index++) {
    if (index % 512 === 511) yield;
    const line = lines.text(index);
    const reason = reasonOf(line, kind);
    if (!reason && !reports.has(kind)) continue;
    const form = templateOf(line.trim());
    if (form === '') continue;
    const known = forms.get(form);
    if (known) {
      known.count++;
      known.last = index;
      if (known.count > rareCount) frequent++;
    } else if (forms.size < mostForms) {
      forms.set(form, { index, last: index, count: 1, reason: reason ?? 'rare', plain: reason === undefined });
    }
  }
  const repetitive = frequent > lines.count / 2;
  return Array.from(forms.values()).filter(({ plain, count }) => !plain || (repetitive && count <= rareCount));
}

/** `0 … count-1` so that any beginning of it lies spread over the whole: both ends, then middles of what is between. */
export const spreadOrder = (count: number, most = 256): number[] => {
  if (count <= 0) return [];
  const order = count > 1 ? [0, count - 1] : [0];
  const gaps: [number, number][] = [[0, count - 1]];
  for (let next = gaps.shift(); next && order.length < most; next = gaps.shift()) {
    const [from, to] = next;
    const middle = (from + to) >> 1;
    if (middle === from) continue;
    order.push(middle);
    gaps.push([from, middle], [middle, to]);
  }
  return order;
};

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
