// Patterns in RE2's language: they take linear time, whatever they are and whatever they meet.
import { RE2JS, RE2JSException } from 're2js';
import type { LineMatcher } from './matchLines.ts';

export type Pattern = LineMatcher & {
  /** Where in a line, without its end, it matches first, in UTF-16 units; -1 where it does not. */
  indexIn: (line: string) => number;
};
export type PatternFlags = { ignoreCase?: boolean | undefined; dotAll?: boolean | undefined };

const mostUnits = 1_000;

/** `/error \d+/i` as people write it in code; anything else is the pattern itself. */
export const withFlags = (written: string): { source: string; flags: PatternFlags } => {
  const [, source = written, letters = ''] = /^\/(.+)\/([gimsuy]*)$/s.exec(written) ?? [];
  return { source, flags: { ignoreCase: letters.includes('i'), dotAll: letters.includes('s') } };
};

/** What Python writes otherwise than RE2: `\Z`. */
const translated = (source: string): string =>
  source.replaceAll(/\\[^]/g, (escape) => (escape === String.raw`\Z` ? String.raw`\z` : escape));

/** What matches single lines, or why `source` is no pattern. */
export const compilePattern = (source: string, { ignoreCase, dotAll }: PatternFlags = {}): Pattern | string => {
  if (source.length > mostUnits) return `it has more than ${mostUnits} characters`;
  const own = translated(source);
  const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (dotAll ? RE2JS.DOTALL : 0);
  try {
    const pattern = RE2JS.compile(own, flags);
    const across = RE2JS.compile(own, flags | RE2JS.MULTILINE);
    // \A and \z are the ends of a line here, which `across` does not take them for.
    const quick = !/\\[Az]/.test(own);
    return {
      indexIn: (line) => {
        const matcher = pattern.matcher(line);
        return matcher.find() ? matcher.start() : -1;
      },
      countIn: (line) => {
        const matcher = pattern.matcher(line);
        let count = 0;
        while (matcher.find()) count++;
        return count;
      },
      mayMatch: (text) => !quick || across.test(text),
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return error.message.replace(/^error parsing regexp: /, '');
  }
};
