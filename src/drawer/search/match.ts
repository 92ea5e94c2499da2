// What a search asks the index: how much there is to look at, which chunks match, and whether a chunk is found.
import type { Tx } from '#base/tx.ts';
import { documentOrThrow } from '#drawer/documents/documents.ts';
import { isOutdated } from '#drawer/documents/paths.ts';

/**
 * What a search may look at: one session's documents (undefined: every session's), or one document of it. Of a file's
 * versions only the newest, but for `all` or where one document is named.
 */
export type Scope = {
  session?: string | undefined;
  document?: number | undefined;
  versions?: 'latest' | 'all' | undefined;
};

/** A document that is not yet, or only in part, in the index: what comes after chunk `indexed` must be read. */
export type Unread = { document: number; indexed: number };
export type ScopeInfo = {
  documents: number;
  chunks: number;
  /** Older versions of files, which are not looked at; where all are, these documents. */
  outdated: number[];
  otherSessions: number;
  unread: Unread[];
};

const looksAtAll = ({ document, versions }: Scope): boolean => document !== undefined || versions === 'all';
const named = '(?1 is null or document.session = ?1) and (?2 is null or document.id = ?2)';
const inScope = `${named} and (?3 or not ${isOutdated})`;
const scopeParams = (scope: Scope): [string | null, number | null, number] => [
  scope.session ?? null,
  scope.document ?? null,
  Number(looksAtAll(scope)),
];

/** What was looked at, as an answer tells it. */
export const searchedIn = (scope: Scope, { documents, chunks, outdated, otherSessions }: ScopeInfo) => ({
  searched: { documents, chunks },
  older: looksAtAll(scope) ? 0 : outdated.length,
  otherSessions,
});

/** How much a search looks at. `whole`: nothing of it is taken from the index, all is to be read. */
export const describeScope = (tx: Tx, { whole, ...scope }: Scope & { whole: boolean }): ScopeInfo => {
  if (scope.document !== undefined) documentOrThrow(tx, scope.document, scope.session);
  const size = tx.get<{ documents: number; chunks: number }>(
    `select count(*) as documents, coalesce(sum(chunks), 0) as chunks from document where complete = 1 and ${inScope}`,
    scopeParams(scope),
  );
  const others = tx.get<{ count: number }>(
    'select count(*) as count from document where complete = 1 and session <> ?',
    [scope.session ?? null],
  );
  const outdated = tx.all<{ id: number }>(
    `select id from document where complete = 1 and (?1 is null or session = ?1) and ${isOutdated}`,
    [scope.session ?? null],
  );
  const unread = tx.all<Unread>(
    `select id as document, ${whole ? '0 as indexed' : 'indexed'} from document
      where complete = 1 and ${whole ? 'chunks > 0' : 'indexed < chunks'} and ${inScope} order by id desc`,
    scopeParams(scope),
  );
  return {
    documents: size?.documents ?? 0,
    chunks: size?.chunks ?? 0,
    outdated: outdated.map(({ id }) => id),
    otherSessions: others?.count ?? 0,
    unread,
  };
};

export type MatchArgs = Scope & {
  expression: string;
  /** The last chunk row that was answered before; 0 at first. */
  after: number;
};
export type Match = { document: number; number: number; score: number };
export type Matches = {
  matches: Match[];
  /** Where to go on; undefined at the end. */
  after: number | undefined;
  /** With the first matches: as of the same moment, so that nothing falls between index and reading. */
  scope: ScopeInfo | undefined;
};

/**
 * Matches that one operation scores, at some 3 µs each. Not fewer: each operation first reads the words' whole lists,
 * which takes 10 to 20 ms for a word that stands in 25,000 chunks.
 */
const mostMatches = 4000;

/** Chunks that the index finds, in the order of their rows, with their BM25 scores. */
export const matchChunks = (tx: Tx, { expression, after, ...scope }: MatchArgs): Matches => {
  const info = after === 0 ? describeScope(tx, { ...scope, whole: false }) : undefined;
  const rows = tx.all<{ id: number; score: number }>(
    `select docid as id, drawer_rank(matchinfo(chunk_index, 'pcnalx')) as score
      from chunk_index
      where chunk_index match ?4 and docid > cast(?5 as integer)
        and docid >> 20 in (select id from document where complete = 1 and ${inScope})
      order by docid limit ?6`,
    [...scopeParams(scope), expression, after, mostMatches],
  );
  const matches = rows.map(({ id, score }) => ({ document: Math.floor(id / 2 ** 20), number: id % 2 ** 20, score }));
  return { matches, after: rows.length === mostMatches ? rows.at(-1)?.id : undefined, scope: info };
};

/** A chunk to be looked up, and words that must lead to it. */
export type Probe = readonly [chunk: number, words: readonly string[]];

/** Those of some chunks that the index does not know, or that one of their words does not lead to. */
export const probeIndex = (tx: Tx, { document, probes }: { document: number; probes: readonly Probe[] }): number[] =>
  probes
    .filter(([chunk, words]) => {
      const id = document * 2 ** 20 + chunk;
      if (!tx.get('select 1 from chunk_index_docsize where docid = ?', [id])) return true;
      const leadsHere = (word: string): boolean =>
        tx.get('select 1 from chunk_index where chunk_index match ? and docid = cast(? as integer)', [
          `text:${word}`,
          id,
        ]) !== undefined;
      return !words.every(leadsHere);
    })
    .map(([chunk]) => chunk);
