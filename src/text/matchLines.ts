// Lines that match: a literal text, all of some words, or a pattern.

/** What is looked for in lines. */
export type LineMatcher = {
  /** How many matches a line, without its end, holds. */
  countIn: (line: string) => number;
  /** False where no line of `text` matches: a quick look before the real one. */
  mayMatch: (text: string) => boolean;
};

/** Some lines in a row: the number of the first, and their text. */
export type LineRun = { first: number; text: string };
/** The numbers of the lines that match, in order, and how many matches they hold together. */
export type LineMatches = { lines: number[]; matches: number };

/** Finds a text as it is written; an empty one once in every line. */
export const literalMatcher = (wanted: string, ignoreCase: boolean): LineMatcher => {
  const folded = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const own = folded(wanted);
  return {
    countIn: (line) => (own === '' ? 1 : folded(line).split(own).length - 1),
    mayMatch: (text) => folded(text).includes(own),
  };
};

/** Finds lines that hold every word of a query, whatever its case, also inside a longer word. No word finds nothing. */
export const allWordsMatcher = (query: string): LineMatcher => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string): boolean => {
    const lower = text.toLowerCase();
    return words.length > 0 && words.every((word) => lower.includes(word));
  };
  return { countIn: (line) => (holds(line) ? 1 : 0), mayMatch: holds };
};

/** Looks through lines, to be run in slices. Most runs hold no match: their lines need not be parted. */
export function* matchLines(runs: Iterable<LineRun>, matcher: LineMatcher): Generator<void, LineMatches> {
  const found: LineMatches = { lines: [], matches: 0 };
  for (const { first, text } of runs) {
    yield;
    if (!matcher.mayMatch(text)) continue;
    for (const [n, line] of text.split('\n').entries()) {
      if (n % 256 === 255) yield;
      const count = matcher.countIn(line);
      if (count === 0) continue;
      found.lines.push(first + n);
      found.matches += count;
    }
  }
  return found;
}
