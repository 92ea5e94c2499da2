import { LoomError } from '#base/errors.ts';
import type { Call } from '#base/operation.ts';
import { chunkId, documentId, parseId } from '#drawer/ids.ts';
import type { DrawerOperations } from '#drawer/operations.ts';
import { compilePattern } from '#text/pattern.ts';
import { scanDocument, type LineHit } from './patternScan.ts';
import type { ReadArgs, ReadResult } from '#drawer/documents/ranges.ts';
import type { Found, Passage, SearchArgs } from '#drawer/types.ts';

type DrawerCall = Call<DrawerOperations>;
type Hit = LineHit & { document: number };
export type RegexArgs = Omit<SearchArgs, 'session'> & { session?: string };

/** Lines shown before and behind a hit, and bytes of one passage. */
const context = 2;
const most = 1_500;
/** Of a longer line only the surroundings of its match are shown. */
const longLine = 600;
/** Matching lines that one page is made of; those behind are only counted. */
const mostHits = 500;

const parseCursor = (cursor: string | undefined): { document: number; line: number } => {
  if (cursor === undefined) return { document: Infinity, line: 0 };
  const match = /^d(\d{1,15}):(\d{1,12})$/.exec(cursor);
  if (match) return { document: Number(match[1]), line: Number(match[2]) };
  throw new LoomError(
    'INVALID_ARGUMENTS',
    `"${cursor.slice(0, 40)}" is no cursor of a regex search: pass the one of the answer before.`,
  );
};

const isLong = ({ start, end }: LineHit): boolean => end - start > longLine;

/** Hits of one document so near to each other that their contexts touch. */
const clusters = (hits: readonly Hit[]): Hit[][] => {
  const groups: Hit[][] = [];
  for (const hit of hits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const [first] = group ?? [];
    const near = last?.document === hit.document && hit.line - last.line <= 2 * context + 1;
    if (group && first && near && !isLong(first) && hit.end - first.start <= most / 2) group.push(hit);
    else groups.push([hit]);
  }
  return groups;
};

/** The lines of some hits with those around them; of a long line what surrounds its match. */
const readAround = async (
  call: DrawerCall,
  session: string | undefined,
  first: Hit,
  last: Hit,
): Promise<ReadResult> => {
  const { document, at } = first;
  const read = (range: Pick<ReadArgs, 'lines' | 'bytes'>): Promise<ReadResult> =>
    call('drawer.read', { session, document, ...range, most });
  if (isLong(first)) {
    const from = Math.max(first.start, at - longLine / 2);
    return read({ bytes: [from, Math.min(first.end, from + longLine) - 1] });
  }
  const around = await read({ lines: [Math.max(1, first.line - context), last.line + context] });
  // A line before them may be so long that they are not reached.
  const reached = around.from + around.bytes.length >= last.end;
  return reached ? around : read({ lines: [first.line, last.line] });
};

const passageOf = async (call: DrawerCall, session: string | undefined, hits: readonly Hit[]): Promise<Passage> => {
  const [first] = hits;
  const last = hits.at(-1);
  if (!first || !last) throw new LoomError('INTERNAL', 'A passage has no hit.');
  const { document } = first;
  const read = await readAround(call, session, first, last);
  // Half a character at either end of a long line's piece is left out.
  const decoded = Buffer.from(read.bytes).toString('utf8');
  const text = (isLong(first) ? decoded.replaceAll(/^\ufffd+|\ufffd+$/g, '') : decoded).replace(/\r?\n$/, '');
  const chunk = await call('drawer.chunkAt', { document, offset: first.at });
  return {
    doc: documentId(document),
    title: read.info.title,
    chunks: [chunkId(document, chunk)],
    lines: [read.line, read.line + (text.match(/\n/g)?.length ?? 0)],
    hits: hits.map(({ line }) => line),
    text,
    score: hits.length,
  };
};

/** Passages until the page is full; answers how many hits stand in them. */
const fill = async (call: DrawerCall, hits: readonly Hit[], { session, limit = 10, units }: RegexArgs) => {
  const passages: Passage[] = [];
  let room = units;
  let shown = 0;
  for (const cluster of clusters(hits)) {
    if (passages.length >= Math.max(1, limit)) break;
    const passage = await passageOf(call, session, cluster);
    if (passage.text.length > room && passages.length > 0) break;
    passages.push(passage);
    room -= passage.text.length;
    shown += cluster.length;
  }
  return { passages, shown };
};

/** Lines that match a pattern, newest document first, in their order. Everything is read, in slices. */
export const searchRegex = async (call: DrawerCall, args: RegexArgs, signal?: AbortSignal): Promise<Found> => {
  const pattern = compilePattern(args.query);
  const { session, doc } = args;
  const start = parseCursor(args.cursor);
  const scope = { session, document: doc === undefined ? undefined : parseId(doc).document };
  const { unread, documents, chunks, otherSessions } = await call('drawer.scope', { ...scope, whole: true });
  const hits: Hit[] = [];
  let count = 0;
  for (const { document } of unread) {
    if (document > start.document) continue;
    const after = document === start.document ? start.line : 0;
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
    passages,
    more,
    cursor: more > 0 && last ? `${documentId(last.document)}:${last.line}` : undefined,
    matched: count > 0 ? 'regex' : 'none',
    searched: { documents, chunks },
    otherSessions,
  };
};
