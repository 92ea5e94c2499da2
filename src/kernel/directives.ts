// What the comment lines of a cell ask for.
import { LoomError } from '#base/errors.ts';

/** What a cell's own comment lines ask for. */
export type Directives = {
  /** Milliseconds; undefined where the cell names no wait. */
  wait: number | undefined;
  fullOutput: boolean;
};

// oxlint-disable-next-line no-control-regex -- where Python's splitlines() breaks
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** The 1-based numbers of lines that begin inside a string literal: what stands there is data. */
const linesInStrings = (code: string): Set<number> => {
  const inside = new Set<number>();
  if (/^\s*%%/.test(code)) return inside;
  let quote = '';
  let line = 1;
  for (let at = 0; at < code.length; at++) {
    const char = code[at] as string;
    if (char === '\n') {
      line++;
      if (quote.length === 1) quote = '';
      if (quote !== '') inside.add(line);
    } else if (quote !== '') {
      if (char === '\\' && code[at + 1] !== '\n') at++;
      else if (code.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = '';
      }
    } else if (char === '#') {
      const end = code.indexOf('\n', at);
      if (end < 0) break;
      at = end - 1;
    } else if (char === '"' || char === "'") {
      quote = code.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      at += quote.length - 1;
    }
  }
  return inside;
};

const refuse = (line: string, why: string): never => {
  throw new LoomError(
    'INVALID_DIRECTIVE',
    `${why}: "${line}". Nothing was run. Write "# loommux: --wait 30" or "# loommux: --full-output", each once, or use ` +
      'the arguments timeout_seconds and full_output instead.',
  );
};

const positive = (text: string): number | undefined => {
  const seconds = /^(?:[1-9]\d*|\d+\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : undefined;
};

/** The newer spelling is strict: a line that begins like one and is none refuses the cell. */
const newer = (lines: readonly string[]): Directives => {
  const found: Directives = { wait: undefined, fullOutput: false };
  for (const line of lines) {
    const words = line.slice('# loommux: '.length).split(' ');
    while (words.length > 0) {
      const word = words.shift();
      if (word === '--full-output') {
        if (found.fullOutput) refuse(line, 'A directive stands twice');
        found.fullOutput = true;
      } else if (word === '--wait') {
        if (found.wait !== undefined) refuse(line, 'A directive stands twice');
        found.wait = positive(words.shift() ?? '') ?? refuse(line, '--wait takes seconds, more than 0');
      } else refuse(line, 'An unknown directive');
    }
  }
  return found;
};

/** The older spelling is lax: what is not exactly one is an ordinary comment, and several waits are none. */
const older = (lines: readonly string[]): Directives => {
  const waits = lines.flatMap((line) => positive(/^# loommux: timeout_seconds=(.*)$/.exec(line)?.[1] ?? '') ?? []);
  return {
    wait: waits.length === 1 ? waits[0] : undefined,
    fullOutput: lines.includes('# loommux: full_output'),
  };
};

/** The directives of a cell, in both spellings that its model's users know. The code itself is run unchanged. */
export const parseDirectives = (code: string): Directives => {
  if (!code.includes('# loommux: ')) return { wait: undefined, fullOutput: false };
  const lines = code.split(lineEnd);
  const data = linesInStrings(lines.join('\n'));
  const strict = newer(lines.filter((line, n) => line.startsWith('# loommux: --') && !data.has(n + 1)));
  const lax = older(lines);
  return { wait: strict.wait ?? lax.wait, fullOutput: strict.fullOutput || lax.fullOutput };
};
