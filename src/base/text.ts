/**
 * The most UTF-16 units that one text part of an answer may have: Copilot replaces a part of more than 8,192 by the path
 * of a file (seen in VS Code 1.139.1).
 */
export const partLimit = 7_900;

const thousands = new Intl.NumberFormat('en-US');

/** `1234567` as `1,234,567`: figures in answers are read by models and people. */
export const grouped = (n: number): string => thousands.format(n);

/** `one` for 1, else the plural (`one` + s unless given), behind the number. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;
