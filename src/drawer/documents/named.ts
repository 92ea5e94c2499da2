// The document that a text names: by its id, or by a title that no other document has.
import { LoomError } from '#base/errors.ts';
import {
  chunkId,
  documentId,
  longestName,
  noId,
  parseReference,
  rangeBehind,
  unquoted,
  type Reference,
} from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { Range } from '#text/range.ts';

/** What may be a title in `text`, and the lines that stand behind it: the whole of it first. */
const titlesIn = (text: string): [title: string, lines: Range | undefined][] => {
  if (text.length > longestName) return [];
  const whole = unquoted(text).replace(/^\.\//, '');
  const match = /^(.+?)(?::|#(?=L)|\s+(?=lines?\s))(?:\s*)(\S.*)$/is.exec(whole);
  const lines = match?.[2] === undefined ? undefined : rangeBehind(match[2]);
  return [
    [whole, undefined],
    ...(match?.[1] !== undefined && lines !== undefined ? [[match[1], lines] as const] : []),
  ].map(([title, range]) => [title as string, range as Range | undefined]);
};

/** What `text` names of a session. Throws where nothing or more than one document has that title; an id is not looked up. */
export const nameDocument = async (call: DrawerCall, session: string | undefined, text: string): Promise<Reference> => {
  const byId = parseReference(text);
  if (byId !== undefined) return byId;
  for (const [title, lines] of titlesIn(text)) {
    const found = title === '' ? [] : await call('drawer.titled', { session, title });
    const [one, ...others] = found;
    if (one === undefined) continue;
    if (others.length === 0) return { document: one.id, chunk: undefined, lines };
    const ids = found.toReversed().map(({ id, title: full }) => documentId(id) + (full === title ? '' : ` (${full})`));
    throw new LoomError(
      'INVALID_ARGUMENTS',
      `${title} is ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}: give one of these ids.`,
    );
  }
  throw noId(text, ', and no document of this session has that title');
};

/** What `text` names where no lines can be chosen: its id. */
export const nameWhole = async (
  call: DrawerCall,
  session: string | undefined,
  text: string,
): Promise<{ document: number; chunk: number | undefined; id: string }> => {
  const { document, chunk, lines } = await nameDocument(call, session, text);
  if (lines !== undefined) throw noId(text, ' alone: it names lines too, which are chosen only by ctx_get');
  return { document, chunk, id: chunk === undefined ? documentId(document) : chunkId(document, chunk) };
};

/** The document that is to be searched or verified, as its id; undefined where none is named. */
export const documentAsked = async (
  call: DrawerCall,
  session: string | undefined,
  text: string | undefined,
): Promise<string | undefined> =>
  text === undefined ? undefined : documentId((await nameWhole(call, session, text)).document);
