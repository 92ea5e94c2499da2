// Searches by words: passages, best first, page by page.
import { inSlices } from '#base/slices.ts';
import { chunkId, cursorNumbers, documentId, parseId } from '#drawer/ids.ts';
import { withStanding } from '#drawer/documents/standing.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { Found, Passage, SearchArgs } from '#drawer/types.ts';
import { makePassages, type TextPassage } from '#text/passages.ts';
import { findWord, prepareText, type QueryWord } from '#text/query.ts';
import { findChunks, merged, ranked, type Hit, type Hits } from './findChunks.ts';
import { searchedIn, type Scope } from './match.ts';
import type { ChunkWindow } from './windows.ts';

/** Chunks whose passages are made, joined and ranked together. A page always begins in the same batches. */
const batch = 64;
/** Where no passage of the chunks with all words answers so much of the query, chunks with some of them may do better. */
const enough = 0.75;
const usualLimit = 10;

/** `first`: passages of the first batch of hits, where they were made already. */
type Widened = Hits & { first?: Passage[] | undefined };
type PassagesArgs = { session: string | undefined; found: Widened; words: readonly QueryWord[]; units: number };
type PageArgs = PassagesArgs & { limit: number };
type Page = { passages: Passage[]; more: number; cursor: string | undefined };

const passageOf = ({ windows, lines, hits, text, score }: TextPassage<ChunkWindow>): Passage => {
  const [{ document, title } = { document: 0, title: '' }] = windows;
  const chunks = windows.map(({ chunk }) => chunkId(document, chunk));
  return { doc: documentId(document), title, chunks, lines, hits, text, score };
};

/** Older versions of files behind everything else. */
const outdatedLast = <T>(ordered: readonly T[], { scope }: Hits, documentOf: (one: T) => number): T[] => {
  const outdated = new Set(scope.outdated);
  return ordered.toSorted((a, b) => Number(outdated.has(documentOf(a))) - Number(outdated.has(documentOf(b))));
};

/** Passages of the chunks from `at` on, best first. */
const passagesAt = async (
  call: DrawerCall,
  at: number,
  { session, found, words, units }: PassagesArgs,
): Promise<Passage[]> => {
  const chosen = found.hits.slice(at, at + batch);
  const chunks = chosen.map(({ document, number }) => [document, number] as const);
  const windows = await call('drawer.windows', { session, chunks });
  const scored = windows.map((window) => ({
    window,
    score: chosen.find((hit) => hit.document === window.document && hit.number === window.chunk)?.score ?? 0,
  }));
  const made = await inSlices(makePassages(scored, { words, manner: found.manner, units }));
  return outdatedLast(made.map(passageOf), found, ({ doc }) => parseId(doc).document);
};

/** One page: from passage `skip` of the batch that begins with hit `start`. */
const makePage = async (call: DrawerCall, [start, skip]: readonly [number, number], args: PageArgs): Promise<Page> => {
  const { found, limit } = args;
  const passages: Passage[] = [];
  let units = args.units;
  let past = skip;
  for (let at = start; at < found.hits.length; at += batch) {
    const made = at === 0 && found.first ? found.first : await passagesAt(call, at, args);
    for (; past < made.length; past++) {
      const passage = made[past];
      if (!passage) break;
      if (passages.length >= limit || passage.text.length > units) {
        const more = made.length - past + Math.max(0, found.hits.length - at - batch);
        return { passages, more, cursor: `${at}.${past}` };
      }
      passages.push(passage);
      units -= passage.text.length;
    }
    past = 0;
  }
  return { passages, more: 0, cursor: undefined };
};

const holdsAll = (text: string, words: readonly QueryWord[]): boolean => {
  const searched = prepareText(text);
  return words.every((word) => findWord(searched, word).length > 0);
};

/** `found` in order; with chunks that hold only some of the words, where these do not stand together in the others. */
const widened = async (call: DrawerCall, args: PassagesArgs): Promise<Widened> => {
  const order = (hits: readonly Hit[]): Hit[] => outdatedLast(hits, args.found, ({ document }) => document);
  const found = { ...args.found, hits: order(ranked(args.found.hits)) };
  if (!found.any) return found;
  const first = await passagesAt(call, 0, { ...args, found });
  if ((first[0]?.score ?? 1) >= enough) return { ...found, first };
  // Those with all the words stay first: BM25 alone would put a chunk with one rare word before them.
  const others = ranked(await found.any());
  const hits = order(merged(found.hits.slice(0, batch / 2), others));
  const holdAll = first.slice(0, usualLimit).some(({ text }) => holdsAll(text, args.words));
  return { ...found, hits, matched: holdAll ? 'all' : 'any' };
};

/** Never throws for what stands in the query; an unknown document is an error. */
export const search = async (
  call: DrawerCall,
  {
    session,
    query,
    doc,
    versions,
    limit = usualLimit,
    cursor,
    units,
  }: Omit<SearchArgs, 'session'> & { session?: string },
): Promise<Found> => {
  const scope: Scope = { session, document: doc === undefined ? undefined : parseId(doc).document, versions };
  const from = cursor === undefined ? ([0, 0] as const) : cursorNumbers(cursor, /^(\d{1,9})\.(\d{1,9})$/, '');
  const { words, ...chunks } = await findChunks(call, query, scope);
  const found = await widened(call, { session, found: chunks, words, units });
  const page = await makePage(call, from, { session, found, words, limit: Math.max(1, limit), units });
  const passages = await withStanding(call, page.passages, ({ doc: id }) => id);
  return {
    ...page,
    passages,
    matched: found.hits.length > 0 ? found.matched : 'none',
    ...searchedIn(scope, found.scope),
  };
};
