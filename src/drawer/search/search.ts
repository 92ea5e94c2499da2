import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import { inSlices } from '#base/slices.ts';
import { parseId } from '#drawer/ids.ts';
import type { Match, Matches, Scope, ScopeInfo } from './match.ts';
import type { DrawerOperations } from '#drawer/operations.ts';
import { makePassages } from '#text/passages.ts';
import { findWord, parseQuery, prepareText, type QueryWord } from '#text/query.ts';
import { scan, type Manner, type ScanHit } from './scan.ts';
import type { Found, Passage, SearchArgs } from '#drawer/types.ts';

type DrawerCall = Call<DrawerOperations>;
type Hit = { document: number; number: number; score: number };
type Hits = {
  hits: Hit[];
  matched: Found['matched'];
  manner: Manner;
  scope: ScopeInfo;
  /** Chunks with any of the words, where `hits` are those with all of them. */
  any?: (() => Promise<Hit[]>) | undefined;
  /** Passages of the first batch of `hits`, where they were made already. */
  first?: Passage[] | undefined;
};

/** Chunks whose passages are made, joined and ranked together. A page always begins in the same batches. */
const batch = 64;
/** Where no passage of the chunks with all words answers so much of the query, chunks with some of them may do better. */
const enough = 0.75;
const usualLimit = 10;

const allMatches = async (call: DrawerCall, expression: string, scope: Scope) => {
  const matches: Match[] = [];
  let info: ScopeInfo | undefined;
  for (let after: number | undefined = 0; after !== undefined;) {
    const found: Matches = await call('drawer.match', { ...scope, expression, after });
    matches.push(...found.matches);
    info ??= found.scope;
    after = found.after;
  }
  return { matches, scope: info ?? { documents: 0, chunks: 0, otherSessions: 0, unread: [] } };
};

/** What was found in the index and what was found by reading, each chunk once. */
const merged = (...lists: readonly (readonly Hit[])[]): Hit[] => {
  const byChunk = new Map<string, Hit>();
  for (const hit of lists.flat()) {
    const key = `${hit.document}.${hit.number}`;
    if (!byChunk.has(key)) byChunk.set(key, hit);
  }
  return Array.from(byChunk.values());
};

const ranked = (hits: readonly Hit[]): Hit[] =>
  hits.toSorted((a, b) => b.score - a.score || a.document - b.document || a.number - b.number);

const byPlace = (hits: readonly Hit[]): Hit[] => ranked(hits).map((hit, place) => ({ ...hit, score: 1 / (place + 1) }));

/**
 * What the index and what reading found, in one order. Only the index knows how rare a word is, so its scores are higher,
 * and what was stored a moment ago would be crowded out of the first batch: where both found something, their places count.
 */
const comparable = (indexed: readonly Hit[], read: readonly Hit[]): Hit[] =>
  indexed.length === 0 || read.length === 0 ? merged(indexed, read) : merged(byPlace(indexed), byPlace(read));

const having = (hits: readonly ScanHit[], words: number): ScanHit[] => hits.filter((hit) => hit.words >= words);

/** Chunks with all the words, as the index and what is not yet in it have them; `any` adds those with some of them. */
const findByIndex = async (call: DrawerCall, words: readonly QueryWord[], scope: Scope): Promise<Hits> => {
  const expressions = words.map(({ expression = '""' }) => expression);
  const all = await allMatches(call, expressions.join(' AND '), scope);
  const read = await scan(call, all.scope.unread, words, 'words');
  const any = async (): Promise<Hit[]> => {
    const matches = await allMatches(call, expressions.join(' OR '), scope);
    // What was indexed between the two looks is in the first reading.
    return comparable(matches.matches, read);
  };
  const hits = comparable(all.matches, having(read, words.length));
  const found = { manner: 'words' as const, scope: all.scope };
  if (words.length === 1) return { ...found, hits, matched: 'all' };
  return hits.length > 0 ? { ...found, hits, matched: 'all', any } : { ...found, hits: await any(), matched: 'any' };
};

const findByReading = async (
  call: DrawerCall,
  words: readonly QueryWord[],
  scope: Scope,
  manner: Manner,
): Promise<Hits> => {
  const info = await call('drawer.scope', { ...scope, whole: true });
  const read = words.length === 0 ? [] : await scan(call, info.unread, words, manner);
  const all = having(read, words.length);
  if (all.length > 0) return { hits: all, matched: manner === 'words' ? 'all' : 'substring', manner, scope: info };
  return { hits: manner === 'words' ? read : [], matched: 'any', manner, scope: info };
};

/** Chunks that hold the words of a query, by the index where it can tell and by reading where it cannot. */
export const findChunks = async (call: DrawerCall, query: string, scope: Scope) => {
  const words = parseQuery(query);
  const byIndex = words.length > 0 && words.every(({ expression }) => expression !== undefined);
  const found = byIndex
    ? await findByIndex(call, words, scope)
    : await findByReading(call, words, scope, words.some(({ expression }) => expression) ? 'words' : 'literal');
  if (found.hits.length > 0 || words.length === 0 || found.manner === 'literal') return { ...found, words };
  return { ...(await findByReading(call, words, scope, 'literal')), words };
};

const parseCursor = (cursor: string | undefined): [number, number] => {
  if (cursor === undefined) return [0, 0];
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor);
  if (match) return [Number(match[1]), Number(match[2])];
  throw new LoomError('INVALID_ARGUMENTS', `"${cursor.slice(0, 40)}" is no cursor: pass the one of the answer before.`);
};

type PassagesArgs = { session: string | undefined; found: Hits; words: readonly QueryWord[]; units: number };
type PageArgs = PassagesArgs & { limit: number };
type Page = { passages: Passage[]; more: number; cursor: string | undefined };

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
  return inSlices(makePassages(scored, { words, manner: found.manner, units }));
};

/** One page: from passage `skip` of the batch that begins with hit `start`. */
const makePage = async (call: DrawerCall, [start, skip]: [number, number], args: PageArgs): Promise<Page> => {
  const { found, limit } = args;
  const passages: Passage[] = [];
  let room = args.units;
  let past = skip;
  for (let at = start; at < found.hits.length; at += batch) {
    const made = at === 0 && found.first ? found.first : await passagesAt(call, at, args);
    for (; past < made.length; past++) {
      const passage = made[past];
      if (!passage) break;
      if (passages.length >= limit || passage.text.length > room) {
        const more = made.length - past + Math.max(0, found.hits.length - at - batch);
        return { passages, more, cursor: `${at}.${past}` };
      }
      passages.push(passage);
      room -= passage.text.length;
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
const widened = async (call: DrawerCall, args: PassagesArgs): Promise<Hits> => {
  const found = { ...args.found, hits: ranked(args.found.hits) };
  if (!found.any) return found;
  const first = await passagesAt(call, 0, { ...args, found });
  if ((first[0]?.score ?? 1) >= enough) return { ...found, first };
  // Those with all the words stay first: BM25 alone would put a chunk with one rare word before them.
  const others = ranked(await found.any());
  const hits = merged(found.hits.slice(0, batch / 2), others);
  const holdAll = first.slice(0, usualLimit).some(({ text }) => holdsAll(text, args.words));
  return { ...found, hits, matched: holdAll ? 'all' : 'any' };
};

/** Ranked passages. Never throws for what stands in the query; an unknown document is an error. */
export const search = async (
  call: DrawerCall,
  { session, query, doc, limit = usualLimit, cursor, units }: Omit<SearchArgs, 'session'> & { session?: string },
): Promise<Found> => {
  const scope: Scope = { session, document: doc === undefined ? undefined : parseId(doc).document };
  const from = parseCursor(cursor);
  const { words, ...chunks } = await findChunks(call, query, scope);
  const found = await widened(call, { session, found: chunks, words, units });
  const page = await makePage(call, from, { session, found, words, limit: Math.max(1, limit), units });
  const { otherSessions } = found.scope;
  return {
    ...page,
    matched: found.hits.length > 0 ? found.matched : 'none',
    searched: { documents: found.scope.documents, chunks: found.scope.chunks },
    otherSessions,
  };
};
