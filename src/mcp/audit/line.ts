// One line of the audit.
import { createHash } from 'node:crypto';
import type { ErrorCode } from '#base/errors.ts';
import type { Effect } from '#mcp/defineTool.ts';

/** What is written down of one call: who, what, how it went, sizes and ids. Never content. */
export type AuditCall = {
  client: string;
  session: string | undefined;
  /** The tool that did the work: the routed one where a router was called. */
  tool: string;
  through: string | undefined;
  effect: Effect | undefined;
  outcome: 'done' | 'replayed' | 'refused';
  code: ErrorCode | undefined;
  /** UTF-16 units of the arguments as JSON, and of the answer's text. */
  received: number;
  answered: number;
  ms: number;
  /** Documents, chunks and cells that were named or made. */
  ids: readonly string[];
};

/** Lines that are no call: a file's first says what came before it, its last says that nothing follows. */
export type AuditMark =
  /** `after`: the file that this one follows, in the same process. `others`: ends of files that no closing line ends. */
  { mark: 'open'; pid: number; after: string | undefined; others: readonly AuditEnd[] } | { mark: 'close' };
export type AuditEnd = { file: string; n: number; hash: string };

export type AuditLine = { n: number; at: string; prev: string; hash: string } & (AuditCall | AuditMark);

/** What the first line of a process follows. */
export const noHash = '0'.repeat(64);

/** SHA-256 of a line's JSON without its own hash; what was before it is in there as `prev`. */
const hashOf = (line: Omit<AuditLine, 'hash'>): string =>
  createHash('sha256').update(JSON.stringify(line)).digest('hex');

/** Where a chain of lines ends. */
export type ChainEnd = { n: number; hash: string };

/** The next line of a chain, as text with its line end, and the chain's new end. */
export const nextLine = (
  { n, hash: prev }: ChainEnd,
  at: string,
  content: AuditCall | AuditMark,
): { text: string; end: ChainEnd } => {
  const line = { n: n + 1, at, ...content, prev };
  const hash = hashOf(line as Omit<AuditLine, 'hash'>);
  return { text: `${JSON.stringify({ ...line, hash })}\n`, end: { n: n + 1, hash } };
};

/** A line as it was written; undefined where it is none or says another hash than its own. */
export const readLine = (text: string): AuditLine | undefined => {
  try {
    const { hash, ...rest } = JSON.parse(text) as AuditLine;
    // Written anew it must be the same text: nothing hides in a second key of one name, or in white space.
    const own = hashOf(rest as Omit<AuditLine, 'hash'>);
    if (hash !== own || JSON.stringify({ ...rest, hash }) !== text) return undefined;
    return { ...rest, hash } as AuditLine;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
};
