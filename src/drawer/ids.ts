// Ids of documents and chunks, as people and models write them.
import { LoomError } from '#base/errors.ts';
import { parseRange, type Range } from '#text/range.ts';

/** What an id names: a document, or one chunk of it (from 1). */
export type Named = { document: number; chunk: number | undefined };

export const documentId = (document: number): string => `d${document}`;
export const chunkId = (document: number, chunk: number): string => `d${document}.${chunk}`;

/** What a text names, and the lines of it where it names some. */
export type Reference = Named & { lines: Range | undefined };

const form = /^(?:(?:doc(?:ument)?|chunk|id)\b[\s:#]*)?d?(\d{1,15})(?:\.(\d{1,15}))?(?:\s*[:#]\s*(.+)|,?\s+(.+))?$/is;

/** UTF-16 units of a text that may name a document: longer than any title. */
export const longestName = 500;

/** The text without what quotes it: blanks, quotes, backticks, brackets. */
export const unquoted = (text: string): string => {
  if (text.length > longestName) return text;
  const plain = text.trim();
  const inner = /^(["'`]+)(.+)\1$/s.exec(plain)?.[2] ?? /^[[<(](.+)[\])>]$/s.exec(plain)?.[1];
  return inner === undefined ? plain : unquoted(inner);
};

/** The range that `text` is, which stands behind an id; undefined where it is none. */
export const rangeBehind = (text: string): Range | undefined => {
  try {
    return parseRange(text, 'lines');
  } catch (error) {
    if (error instanceof LoomError) return undefined;
    throw error;
  }
};

/** `d7`, `D7.12`, `7`, `document d7`, `d7:120-180`, `d7 app.log` as what they name; undefined where it is no id. */
export const parseReference = (text: string): Reference | undefined => {
  const match = text.length > longestName ? null : form.exec(unquoted(text));
  if (match === null) return undefined;
  const [, document, chunk, behind, apart] = match;
  const lines = rangeBehind(behind ?? apart ?? '');
  // Answers write the title behind an id; but two ids are not one.
  const isTitle = apart !== undefined && /^\s*d\d/i.test(text) && !/\bd\d+\b/i.test(apart);
  if ((behind !== undefined || (apart !== undefined && !isTitle)) && lines === undefined) return undefined;
  return { document: Number(document), chunk: chunk === undefined ? undefined : Number(chunk), lines };
};

/** Ids that stand in one text, `d7, d8`; a title may have commas and blanks too. */
export const splitIds = (text: string): string[] => {
  const several = /^\s*d\d+(?:\.\d+)?(?:(?:\s*[,;]\s*|\s+)d\d+(?:\.\d+)?)+\s*$/i.test(text);
  return several ? text.trim().split(/[,;\s]+/) : [text];
};

/** Why `text` names no document, and where ids are found. */
export const noId = (text: string, more = ''): LoomError =>
  new LoomError(
    'INVALID_ARGUMENTS',
    `"${text.slice(0, 60)}" is no id${more}. Ids look like "d7" or "d7.12": an anchor has them, and ctx_search.`,
  );

/** The document or chunk that an id names; lines are named elsewhere. */
export const parseId = (id: string): Named => {
  const found = parseReference(id);
  if (found === undefined) throw noId(id);
  if (found.lines !== undefined) throw noId(id, ' alone: it names lines too, which are chosen only by ctx_get');
  return { document: found.document, chunk: found.chunk };
};

/** The two numbers of a cursor, the first below `end`, or an error that says what it was to be a cursor `of`. */
export const cursorNumbers = (cursor: string, form: RegExp, of: string, end = Infinity): [number, number] => {
  const match = form.exec(cursor);
  if (match && Number(match[1]) < end) return [Number(match[1]), Number(match[2])];
  throw new LoomError(
    'INVALID_ARGUMENTS',
    `"${cursor.slice(0, 40)}" is no cursor${of}: pass the one of the answer before.`,
  );
};
