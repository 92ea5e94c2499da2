// What stands in a secret's place.

/** Where a secret stands, and which rule found it. */
export type Finding = { start: number; end: number; rule: string };

/** One secret that was masked. */
export type Masked = {
  rule: string;
  /** The line, from 1, that it begins in. */
  line: number;
  /** Its length in bytes. */
  length: number;
};

/** How a mask begins; `‹redacted:rule:length›` is the whole. */
export const maskStart = '‹redacted:';

/** What stands for a secret of `length` bytes: its line ends are kept, so that line numbers stay true. */
export const maskFor = (secret: string, rule: string, length: number): string =>
  `${maskStart}${rule}:${length}›${secret.match(/\r?\n/g)?.join('') ?? ''}`;
