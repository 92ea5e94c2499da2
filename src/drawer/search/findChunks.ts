// Finds the chunks that hold the words of a query: by the index where it can tell, by reading where it cannot.
import type { DrawerCall } from '#drawer/operations.ts';
import type { Found } from '#drawer/types.ts';
import { parseQuery, type Manner, type QueryWord } from '#text/query.ts';
import type { Match, Matches, Scope, ScopeInfo } from './match.ts';
import { scan, type ScanHit } from './scan.ts';

export type Hit = { document: number; number: number; score: number };
/** Chunks that were found, and how. */
export type Hits = {
  hits: Hit[];
  matched: Found['matched'];
  manner: Manner;
  scope: ScopeInfo;
  /** Chunks with any of the words, where `hits` are those with all of them. */
  any?: (() => Promise<Hit[]>) | undefined;
};

const allMatches = async (call: DrawerCall, expression: string, scope: Scope) => {
  const matches: Match[] = [];
  let info: ScopeInfo | undefined;
  for (let after: number | undefined = 0; after !== undefined;) {
    const found: Matches = await call('drawer.match', { ...scope, expression, after });
    matches.push(...found.matches);
    info ??= found.scope;
    after = found.after;
  }
  return { matches, scope: info ?? { documents: 0, chunks: 0, outdated: [], otherSessions: 0, unread: [] } };
};

/** What was found in the index and what was found by reading, each chunk once. */
export const merged = (...lists: readonly (readonly Hit[])[]): Hit[] => {
  const byChunk = new Map<string, Hit>();
  for (const hit of lists.flat()) {
    const key = `${hit.document}.${hit.number}`;
    if (!byChunk.has(key)) byChunk.set(key, hit);
  }
  return Array.from(byChunk.values());
};

export const ranked = (hits: readonly Hit[]): Hit[] =>
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
