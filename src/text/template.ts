// The template of a line: what stays of it where one line of a log differs from the next.

/*
 * What changes becomes a mark in angle brackets, like a placeholder in a manual, so that nobody takes it for content. By
 * hand and not by one expression: it runs over every line of a log.
 */

/** Of a longer line only the beginning makes its template. */
const looked = 240;

const date = /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/y;
const time = /\d\d:\d\d:\d\d(?:[.,]\d+)?/y;
const address = /\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\d.])/y;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/iy;
const decimal = /\d+(?:\.\d+)*/y;

const endOf = (pattern: RegExp, line: string, at: number): number | undefined => {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : undefined;
};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHexLetter = (code: number): boolean => (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

/** What follows a path or a quoted request is its HTTP status: 500 is another message than 200. */
const isStatus = (line: string, start: number, end: number): boolean =>
  end - start === 3 &&
  /[1-5]/.test(line[start] ?? '') &&
  /^\s?$/.test(line[end] ?? '') &&
  /[/"]\S* $/.test(line.slice(Math.max(0, start - 120), start));

/** `0 errors` is another message than `5 errors`. */
const isZeroCount = (line: string, start: number, end: number): boolean =>
  end - start === 1 &&
  line[start] === '0' &&
  (/^ (err|warn|fail)/i.test(line.slice(end, end + 5)) ||
    /(errors?|warnings?|failures?|failed)[:=] ?$/i.test(line.slice(Math.max(0, start - 12), start)));

type Mark = { mark: string; end: number };

/** What a word of digits only, at `start`, is the beginning of. */
const markNumber = (line: string, start: number, end: number): Mark => {
  const next = line[end];
  const length = end - start;
  const ends = (mark: string, pattern: RegExp): Mark | undefined => {
    const to = endOf(pattern, line, start);
    return to === undefined ? undefined : { mark, end: to };
  };
  const found =
    (length === 4 && next === '-' && ends('<time>', date)) ||
    (length === 2 && next === ':' && ends('<time>', time)) ||
    (length <= 3 && next === '.' && ends('<ip>', address)) ||
    (length === 8 && next === '-' && ends('<uuid>', uuid));
  if (found) return found;
  if (isStatus(line, start, end) || isZeroCount(line, start, end)) {
    return { mark: line.slice(start, end), end };
  }
  return { mark: '<n>', end: endOf(decimal, line, start) ?? end };
};

const markWord = (line: string, start: number, end: number, digits: number, hex: boolean): Mark => {
  if (digits === end - start) return markNumber(line, start, end);
  const whole = hex ? end - start >= 6 : line.startsWith('0x', start);
  if (!whole) return { mark: line.slice(start, end).replaceAll(/\d+/g, '<n>'), end };
  const id = end - start === 8 && line[end] === '-' ? endOf(uuid, line, start) : undefined;
  return id === undefined ? { mark: '<n>', end } : { mark: '<uuid>', end: id };
};

export const templateOf = (full: string): string => {
  const line = full.length > looked ? full.slice(0, looked) : full;
  let template = '';
  let copied = 0;
  for (let start = 0; start < line.length;) {
    let end = start;
    let digits = 0;
    let hex = true;
    for (; end < line.length; end++) {
      const code = line.charCodeAt(end);
      if (isDigit(code)) digits++;
      else if (!isLetter(code)) break;
      else if (!isHexLetter(code)) hex = false;
    }
    if (digits === 0) {
      start = end + 1;
      continue;
    }
    const { mark, end: to } = markWord(line, start, end, digits, hex);
    template += line.slice(copied, start) + mark;
    copied = to;
    start = to;
  }
  return (template + line.slice(copied)).trimEnd();
};
