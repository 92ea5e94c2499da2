// Passages around lines that a pattern matched: which hits share one, and what of the document is read for it.
import { inGroups } from './hitLines.ts';
import type { LineHit } from './lineScanner.ts';

/** Lines shown before and behind a hit, and bytes of one passage. */
const context = 2;
const mostBytes = 1_500;
/** Of a longer line only the surroundings of its match are shown. */
const longLine = 600;

const isLong = ({ start, end }: LineHit): boolean => end - start > longLine;

/** Hits of one document so near to each other that their contexts touch. */
export const clusterHits = <H extends LineHit & { document: number }>(hits: readonly H[]): [H, ...H[]][] =>
  inGroups(hits, (hit, group) => {
    const [first] = group;
    const last = group.at(-1) ?? first;
    const near = last.document === hit.document && hit.line - last.line <= 2 * context + 1;
    return near && !isLong(first) && hit.end - first.start <= mostBytes / 2;
  });

/** What is read of a document: its lines, from 1, or its bytes, from 0, and no more bytes than that. */
export type Wanted = { lines?: readonly [number, number]; bytes?: readonly [number, number]; mostBytes: number };
/** First byte of `bytes`, and the line that it stands in. */
export type Read = { from: number; line: number; bytes: Uint8Array };

/** The lines of a cluster with those around them; of a long line what surrounds its match. */
const readAround = async <R extends Read>(
  first: LineHit,
  last: LineHit,
  read: (wanted: Wanted) => Promise<R>,
): Promise<R> => {
  if (isLong(first)) {
    const from = Math.max(first.start, first.at - longLine / 2);
    return read({ bytes: [from, Math.min(first.end, from + longLine) - 1], mostBytes });
  }
  const around = await read({ lines: [Math.max(1, first.line - context), last.line + context], mostBytes });
  // A line before them may be so long that they are not reached.
  const reached = around.from + around.bytes.length >= last.end;
  return reached ? around : read({ lines: [first.line, last.line], mostBytes });
};

export type PatternPassage<R> = { read: R; lines: [number, number]; hits: number[]; text: string };

/** The passage of one cluster; `read` reads the document that its hits are of. */
export const passageAround = async <R extends Read>(
  hits: readonly [LineHit, ...LineHit[]],
  read: (wanted: Wanted) => Promise<R>,
): Promise<PatternPassage<R>> => {
  const [first] = hits;
  const around = await readAround(first, hits.at(-1) ?? first, read);
  // Half a character at either end of a long line's piece is left out.
  const decoded = Buffer.from(around.bytes).toString('utf8');
  const text = (isLong(first) ? decoded.replaceAll(/^\ufffd+|\ufffd+$/g, '') : decoded).replace(/\r?\n$/, '');
  const { line } = around;
  const lines: [number, number] = [line, line + (text.match(/\n/g)?.length ?? 0)];
  return { read: around, lines, hits: hits.map((hit) => hit.line), text };
};
