// What a line of a text says by its words: that something failed, a warning, or what must or must not be.

export type LineKind = 'failure' | 'warning' | 'constraint';

const failure =
  /\b(error|errors|err|fatal|fail|failed|fails|failure|failing|exception|panic|panicked|critical|traceback|assertion\w*|denied|refused|timeout|timed[ -]out|cannot|unable to|segfault|killed|oom|abort(ed)?|corrupt(ed)?|unreachable|not ok)\b|\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b.*[\s"]5\d\d(\s|$)/i;
/** The name of an exception's class. */
const exceptionName = /[a-z](Error|Exception)\b/;
const noFailure = /\b(0|no|without) (errors?|failures?|failed)\b|\b(errors?|failures?|failed)[:=] ?0\b/i;
const warning = /\b(warn|warning|deprecated|retry(ing)?|rejected|slow)\b/i;
const constraint =
  /\b(must|must not|mustn't|never|always|at most|at least|do not|don't|shall|required|forbidden|not allowed|only if|exactly one|no more than|no less than|invariant)\b/i;

/** `report`: the text is one, as a log is, where the word `error` tells of an error and is no name in a program. */
export const lineKindOf = (line: string, report: boolean): LineKind | undefined => {
  if (report) {
    if ((failure.test(line) || exceptionName.test(line)) && !noFailure.test(line)) return 'failure';
    if (warning.test(line)) return 'warning';
  }
  return constraint.test(line) ? 'constraint' : undefined;
};
