/*
 * A line of a log without what changes from line to line. The marks stand in angle brackets, like a placeholder in a
 * manual, so that nobody takes them for content.
 */
const changing =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{6,}\b|\d+(?:\.\d+)*/gi;

const markOf = (match: string): string => {
  if (/^\d+(\.\d+)?$/.test(match)) return '<n>';
  if (/^\d{4}-\d\d-\d\d|^\d\d:\d\d:/.test(match)) return '<time>';
  if (/^[0-9a-f]{8}-/i.test(match)) return '<uuid>';
  if (/^\d{1,3}(\.\d{1,3}){3}/.test(match)) return '<ip>';
  return /^[\d.]+$/.test(match) ? '<n>' : '<hex>';
};

/** Of a longer line only the beginning makes its template. */
const looked = 240;

export const templateOf = (line: string): string => line.slice(0, looked).replace(changing, markOf).trimEnd();
