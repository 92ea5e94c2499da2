import type { Tx } from '#base/tx.ts';
import type { Block, ChunkRow } from '#drawer/documents/blocks.ts';
import { documentOrThrow } from '#drawer/documents/documents.ts';
import { content } from '#drawer/documents/ranges.ts';

/** What a search may look at: one session's documents (undefined: every session's), or one document of it. */
export type Scope = { session?: string | undefined; document?: number | undefined };

/** A document that is not yet, or only in part, in the index: what comes after chunk `indexed` must be read. */
export type Unread = { document: number; indexed: number };
export type ScopeInfo = { documents: number; chunks: number; otherSessions: number; unread: Unread[] };

const inScope = '(?1 is null or document.session = ?1) and (?2 is null or document.id = ?2)';
const scopeParams = ({ session, document }: Scope): [string | null, number | null] => [
  session ?? null,
  document ?? null,
];

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
  const unread = tx.all<Unread>(
    `select id as document, ${whole ? '0 as indexed' : 'indexed'} from document
      where complete = 1 and ${whole ? 'chunks > 0' : 'indexed < chunks'} and ${inScope} order by id desc`,
    scopeParams(scope),
  );
  return { documents: size?.documents ?? 0, chunks: size?.chunks ?? 0, otherSessions: others?.count ?? 0, unread };
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
      where chunk_index match ?3 and docid > cast(?4 as integer)
        and docid >> 20 in (select id from document where complete = 1 and ${inScope})
      order by docid limit ?5`,
    [...scopeParams(scope), expression, after, mostMatches],
  );
  const matches = rows.map(({ id, score }) => ({ document: Math.floor(id / 2 ** 20), number: id % 2 ** 20, score }));
  return { matches, after: rows.length === mostMatches ? rows.at(-1)?.id : undefined, scope: info };
};

export type BlocksArgs = { document: number; from: number };
export type Blocks = {
  blocks: Block[];
  /** The block to go on with; undefined at the end. */
  next: number | undefined;
};

/** Blocks that are read at once: 1 MB of content. */
const mostBlocks = 16;

/**
 * Block `from` of a document and those that follow it, still compressed: the caller opens them. The last one, except at
 * the end, only serves for what reaches over a border: it comes again as the first of the next ones.
 */
export const readBlocks = (tx: Tx, { document, from }: BlocksArgs): Blocks => {
  const blocks = tx.all<Block>(
    'select number, offset, data from block where document = ? and number >= ? order by number limit ?',
    [document, from, mostBlocks + 1],
  );
  return { blocks, next: blocks.length > mostBlocks ? from + mostBlocks : undefined };
};

/** The chunks of some blocks of a document. */
export const readChunks = (
  tx: Tx,
  { document, from, to }: { document: number; from: number; to: number },
): { number: number; offset: number; bytes: number }[] =>
  tx.all('select number, offset, bytes from chunk where document = ? and offset >= ? and offset < ? order by offset', [
    document,
    from,
    to,
  ]);

/** Blocks from `from` on, as `readBlocks`, with the chunks in them, but none of them twice. */
export const readPiece = (
  tx: Tx,
  { document, from }: BlocksArgs,
): { blocks: Block[]; chunks: ChunkRow[]; next: number | undefined } => {
  const { blocks, next } = readBlocks(tx, { document, from });
  const own = next === undefined ? blocks : blocks.slice(0, -1);
  const [first] = own;
  const end = next === undefined ? Number.MAX_SAFE_INTEGER : (blocks.at(-1)?.offset ?? 0);
  const chunks = tx.all<{ number: number; block: number; offset: number; bytes: number; line: number }>(
    `select number, block, offset, bytes, line from chunk where document = ? and offset >= ? and offset < ?
      order by offset`,
    [document, from === 0 ? -1 : (first?.offset ?? 0), end],
  );
  return {
    blocks: own,
    chunks: chunks.map(({ number, block, offset, bytes, line }) => [number, block, offset, bytes, line]),
    next,
  };
};

/** Those of some chunks that the index does not know, or that one of their words does not lead to. */
export const probeIndex = (
  tx: Tx,
  { document, probes }: { document: number; probes: readonly (readonly [chunk: number, words: readonly string[]])[] },
): number[] =>
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

/** The block that a chunk stands in. */
export const blockOf = (tx: Tx, { document, chunk }: { document: number; chunk: number }): number =>
  tx.get<{ block: number }>('select block from chunk where id = (? << 20) + ?', [document, chunk])?.block ?? 0;

/** A chunk with its neighbours, as one stretch of bytes. */
export type Window = {
  document: number;
  title: string;
  chunk: number;
  /** Where the chunk itself stands in the document: its first byte, and the one behind its last. */
  own: readonly [number, number];
  /** First byte of `bytes`, and the line that it stands in. */
  offset: number;
  line: number;
  bytes: Uint8Array;
};

type WindowRow = { number: number; offset: number; bytes: number; line: number };

const readWindow = (tx: Tx, session: string | undefined, document: number, chunk: number): Window | undefined => {
  const title = tx.get<{ title: string }>(
    'select title from document where id = ?1 and complete = 1 and (?2 is null or session = ?2)',
    [document, session ?? null],
  )?.title;
  const rows = tx.all<WindowRow>(
    'select number, offset, bytes, line from chunk where id between (?1 << 20) + ?2 - 1 and (?1 << 20) + ?2 + 1',
    [document, chunk],
  );
  const own = rows.find(({ number }) => number === chunk);
  const [first] = rows;
  const last = rows.at(-1);
  if (title === undefined || !own || !first || !last) return undefined;
  return {
    document,
    title,
    chunk,
    own: [own.offset, own.offset + own.bytes],
    offset: first.offset,
    line: first.line,
    bytes: content(tx, document, first.offset, last.offset + last.bytes),
  };
};

/** The chunks named (document and number) with their neighbours; one that is gone by now is left out. */
export const readWindows = (
  tx: Tx,
  { session, chunks }: { session?: string | undefined; chunks: readonly (readonly [number, number])[] },
): Window[] =>
  chunks
    // In a row, so that chunks of one block open it once.
    .toSorted(([a, i], [b, j]) => a - b || i - j)
    .flatMap(([document, chunk]) => readWindow(tx, session, document, chunk) ?? []);
