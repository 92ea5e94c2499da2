// Ids of documents and chunks, as people and models write them.
import { LoomError } from '#base/errors.ts';

/** What an id names: a document, or one chunk of it (from 1). */
export type Named = { document: number; chunk: number | undefined };

export const documentId = (document: number): string => `d${document}`;
export const chunkId = (document: number, chunk: number): string => `d${document}.${chunk}`;

/** `d7`, `D7.12`, `7` as what they name. */
export const parseId = (id: string): Named => {
  const match = /^\s*d?(\d{1,15})(?:\.(\d{1,15}))?\s*$/i.exec(id);
  if (!match) {
    throw new LoomError(
      'INVALID_ARGUMENTS',
      `"${id.slice(0, 40)}" is no id. Ids look like "d7" or "d7.12": an anchor has them, and ctx_search.`,
    );
  }
  return { document: Number(match[1]), chunk: match[2] === undefined ? undefined : Number(match[2]) };
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
