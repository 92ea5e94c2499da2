// Searches by a pattern, line by line: everything is read.
import { LoomError } from '#base/errors.ts';
import { inSlices, pacer } from '#base/slices.ts';
import { decompress } from '#drawer/documents/blocks.ts';
import type { Blocks } from '#drawer/documents/readBlocks.ts';
import { chunkId, cursorNumbers, documentId, parseId } from '#drawer/ids.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import type { Found, Passage, SearchArgs } from '#drawer/types.ts';
import { withStanding } from '#drawer/documents/standing.ts';
import { searchedIn } from './match.ts';
import { LineScanner, type LineHit } from '#text/lineScanner.ts';
import { compilePattern, withFlags, type Pattern } from '#text/pattern.ts';
import { clusterHits, passageAround } from '#text/patternPassages.ts';

type Hit = LineHit & { document: number };
export type PatternSearchArgs = Omit<SearchArgs, 'session'> & { session?: string };

/** Matching lines that one page is made of; those behind are only counted. */
const mostHits = 500;

const refusal = (written: string, why: string): LoomError =>
  new LoomError(
    'INVALID_ARGUMENTS',
    `"${written.slice(0, 100)}" is no valid pattern: ${why}. It is matched line by line in RE2's syntax: no look-around, no ` +
      'back-references; (?i) ignores case. To find this very text, leave regex out.',
  );

const patternOf = (written: string): Pattern => {
  if (written.trim() === '') throw refusal(written, 'it is empty');
  const { source, flags } = withFlags(written);
  const pattern = compilePattern(source, flags);
  if (typeof pattern === 'string') throw refusal(written, pattern);
  return pattern;
};

/** Hands each line of a document that matches to `found`, in their order. */
const scanDocument = async (
  call: DrawerCall,
  document: number,
  pattern: Pattern,
  found: (hit: LineHit) => void,
  signal?: AbortSignal,
): Promise<void> => {
  const scanner = new LineScanner(pattern);
  const pause = pacer(signal);
  for (let from: number | undefined = 0; from !== undefined;) {
    const { blocks, next }: Blocks = await call('drawer.blocks', { document, from });
    // The last one of a full answer comes again as the first of the next.
    const own = next === undefined ? blocks : blocks.slice(0, -1);
    for (const [index, { data }] of own.entries()) {
      const last = next === undefined && index === own.length - 1;
      for (const hit of await inSlices(scanner.read(decompress(data), last), signal)) found(hit);
      await pause();
    }
    from = next;
  }
};

const passageOf = async (
  call: DrawerCall,
  session: string | undefined,
  hits: readonly [Hit, ...Hit[]],
): Promise<Passage> => {
  const [{ document, at }] = hits;
  const { read, ...passage } = await passageAround(hits, ({ mostBytes, ...wanted }) =>
    call('drawer.read', { session, document, ...wanted, most: mostBytes }),
  );
  const chunk = await call('drawer.chunkAt', { document, offset: at });
  return {
    doc: documentId(document),
    title: read.info.title,
    chunks: [chunkId(document, chunk)],
    ...passage,
    score: hits.length,
  };
};

/** Passages until the page is full, and how many hits stand in them. */
const fill = async (call: DrawerCall, hits: readonly Hit[], { session, limit = 10, units }: PatternSearchArgs) => {
  const passages: Passage[] = [];
  let left = units;
  let shown = 0;
  for (const cluster of clusterHits(hits)) {
    if (passages.length >= Math.max(1, limit)) break;
    const passage = await passageOf(call, session, cluster);
    if (passage.text.length > left && passages.length > 0) break;
    passages.push(passage);
    left -= passage.text.length;
    shown += cluster.length;
  }
  return { passages, shown };
};

/** Lines that match a pattern, newest document first, in their order. Everything is read, in slices. */
export const searchPattern = async (
  call: DrawerCall,
  args: PatternSearchArgs,
  signal?: AbortSignal,
): Promise<Found> => {
  const pattern = patternOf(args.query);
  const { session, doc, versions } = args;
  const [startDocument, startLine] =
    args.cursor === undefined
      ? [Infinity, 0]
      : cursorNumbers(args.cursor, /^d(\d{1,15}):(\d{1,12})$/, ' of a regex search');
  const scope = { session, document: doc === undefined ? undefined : parseId(doc).document, versions };
  const { unread, ...info } = await call('drawer.scope', { ...scope, whole: true });
  const hits: Hit[] = [];
  let count = 0;
  for (const { document } of unread) {
    if (document > startDocument) continue;
    const after = document === startDocument ? startLine : 0;
    const found = (hit: LineHit): void => {
      if (hit.line <= after) return;
      count++;
      if (hits.length < mostHits) hits.push({ ...hit, document });
    };
    await scanDocument(call, document, pattern, found, signal);
  }
  const { passages, shown } = await fill(call, hits, args);
  const last = hits[shown - 1];
  const more = count - shown;
  return {
    passages: await withStanding(call, passages, ({ doc: id }) => id),
    more,
    cursor: more > 0 && last ? `${documentId(last.document)}:${last.line}` : undefined,
    matched: count > 0 ? 'regex' : 'none',
    ...searchedIn(scope, { unread, ...info }),
  };
};
