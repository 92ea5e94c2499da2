/*
 * A line of a log without what changes from line to line. The marks stand in angle brackets, like a placeholder in a
 * manual, so that nobody takes them for content.
 */
const changing = new RegExp(
  [
    // A date with a time, a time, a UUID, an address with a port.
    String.raw`(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?)`,
    String.raw`(?<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)`,
    String.raw`(?<ip>\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b)`,
    // What follows a path or a quoted request is its HTTP status: 500 is another message than 200.
    String.raw`(?<status>\b[1-5]\d\d(?=\s|$)(?<=[/"]\S* \d{3}))`,
    String.raw`\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{6,}\b|\d+(?:\.\d+)*`,
  ].join('|'),
  'gi',
);

const markOf = (match: string, ...rest: unknown[]): string => {
  const { time, uuid, ip, status } = rest.at(-1) as Record<string, string | undefined>;
  if (status !== undefined) return match;
  // A hex number without letters looks like any other number.
  return time ? '<time>' : uuid ? '<uuid>' : ip ? '<ip>' : '<n>';
};

/** Of a longer line only the beginning makes its template. */
const looked = 240;

export const templateOf = (line: string): string => line.slice(0, looked).replace(changing, markOf).trimEnd();
