import { RE2JS, RE2JSException } from 're2js';
import { LoomError } from '#base/errors.ts';

/** A pattern that takes linear time, whatever it is and whatever it meets: RE2's language. */
export type Pattern = {
  /** Where in a line, without its end, it matches first, in UTF-16 units; -1 where it does not. */
  indexIn: (line: string) => number;
  /** False where no line of `text` matches. */
  mayMatch: (text: string) => boolean;
};

const mostUnits = 1_000;

/** `/error \d+/i` as people write it in code; anything else is the pattern itself. */
const withFlags = (written: string): { source: string; flags: number } => {
  const [, source = written, letters = ''] = /^\/(.+)\/([gimsuy]*)$/s.exec(written) ?? [];
  const ignoreCase = letters.includes('i') ? RE2JS.CASE_INSENSITIVE : 0;
  return { source, flags: ignoreCase | (letters.includes('s') ? RE2JS.DOTALL : 0) };
};

const refusal = (written: string, why: string): LoomError =>
  new LoomError(
    'INVALID_ARGUMENTS',
    `"${written.slice(0, 100)}" is no valid pattern: ${why}. It is matched line by line in RE2's syntax: no look-around, no ` +
      'back-references; (?i) ignores case. To find this very text, leave regex out.',
  );

export const compilePattern = (written: string): Pattern => {
  if (written.trim() === '') throw refusal(written, 'it is empty');
  if (written.length > mostUnits) throw refusal(written, `it has more than ${mostUnits} characters`);
  const { source, flags } = withFlags(written);
  try {
    const pattern = RE2JS.compile(source, flags);
    const across = RE2JS.compile(source, flags | RE2JS.MULTILINE);
    // \A and \z are the ends of a line here, which `across` does not take them for.
    const quick = !/\\[Az]/.test(source);
    return {
      indexIn: (line) => {
        const matcher = pattern.matcher(line);
        return matcher.find() ? matcher.start() : -1;
      },
      mayMatch: (text) => !quick || across.test(text),
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw refusal(written, error.message.replace(/^error parsing regexp: /, ''));
  }
};
