// Texts: how long a part of an answer may be, numbers and amounts in words, UTF-8.
/**
 * The most UTF-16 units that one text part of an answer may have: Copilot replaces a part of more than 8,192 by the path
 * of a file (seen in VS Code 1.139.1).
 */
export const partLimit = 7_900;

const thousands = new Intl.NumberFormat('en-US');

/** `1234567` as `1,234,567`: figures in answers are read by models and people. */
export const grouped = (n: number): string => thousands.format(n);

/** A size in MiB, as settings and limits state it. */
export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** `one` for 1, else the plural (`one` + s unless given), behind the number. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;

/** A lone surrogate has no UTF-8 form; WTF-8 gives it the three bytes it would have, so that no two texts become one. */
const surrogateBytes = (unit: number): number[] => [
  0xe0 | (unit >> 12),
  0x80 | ((unit >> 6) & 0x3f),
  0x80 | (unit & 0x3f),
];

/** The bytes of `text`: UTF-8, with lone surrogates kept as WTF-8 does (such bytes are no valid UTF-8 and come back as base64). */
export const encodeText = (text: string): Uint8Array => {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const parts = text.split(/(?<![\ud800-\udbff])([\udc00-\udfff])|([\ud800-\udbff])(?![\udc00-\udfff])/);
  return Buffer.concat(
    parts
      .filter((part) => part !== undefined)
      .map((part) => (part.isWellFormed() ? Buffer.from(part) : Buffer.from(surrogateBytes(part.charCodeAt(0))))),
  );
};
