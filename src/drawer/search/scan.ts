// Reads chunks that the index does not know, or cannot tell of, and finds words in them.
import { isAscii } from 'node:buffer';
import { inSlices } from '#base/slices.ts';
import { decompress, type Block } from '#drawer/documents/blocks.ts';
import type { Blocks } from '#drawer/documents/readBlocks.ts';
import type { DrawerCall } from '#drawer/operations.ts';
import { finders, prepareText, type Manner, type QueryWord } from '#text/query.ts';
import { saturated } from '#text/rank.ts';
import { fold } from '#text/terms.ts';
import type { Unread } from './match.ts';

/** A chunk in which some of the words stand. */
export type ScanHit = { document: number; number: number; score: number; words: number };

/** How far a chunk is read into the next: a literal may stand across the border of a cut line. */
const overlap = 256;

/** As an index scores, but for what only an index knows. */
const scoreOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + saturated(count), 0);

/** Some blocks in a row, opened. */
type Opened = { blocks: readonly Block[]; bytes: Buffer };

function* openBlocks(blocks: readonly Block[]): Generator<void, Opened> {
  const opened: Buffer[] = [];
  for (const { data } of blocks) {
    opened.push(decompress(data));
    yield;
  }
  return { blocks, bytes: Buffer.concat(opened) };
}

const bytesOf = ({ blocks, bytes }: Opened, from: number, to: number): Buffer => {
  const start = blocks[0]?.offset ?? 0;
  return bytes.subarray(from - start, to - start);
};

const textOf = (opened: Opened, from: number, to: number): string => bytesOf(opened, from, to).toString('utf8');

/** As `fold` of the text. Most blocks are ASCII, which is seen fastest in the bytes. */
const foldedOf = (bytes: Buffer): string =>
  isAscii(bytes) ? bytes.toString('latin1').toLowerCase() : fold(bytes.toString('utf8'));

type Sought = {
  words: readonly QueryWord[];
  needles: readonly (readonly string[])[];
  find: (typeof finders)[Manner]['find'];
};

const mayHold = (folded: string, needles: readonly string[]): boolean =>
  needles.some((needle) => folded.includes(needle));

/** First byte and end of each block that may hold one of the words. Most hold none. */
function* likelyBlocks(opened: Opened, last: boolean, { needles }: Sought): Generator<void, [number, number][]> {
  const found: [number, number][] = [];
  const { blocks, bytes } = opened;
  const end = (blocks[0]?.offset ?? 0) + bytes.length;
  for (const [index, { offset }] of blocks.entries()) {
    if (index === blocks.length - 1 && !last) break;
    const to = blocks[index + 1]?.offset ?? end;
    const folded = foldedOf(bytesOf(opened, offset, to + overlap));
    if (needles.some((each) => mayHold(folded, each))) found.push([offset, to]);
    yield;
  }
  return found;
}

type ChunkAt = { number: number; offset: number; bytes: number };

function* scanChunks(
  document: number,
  opened: Opened,
  chunks: readonly ChunkAt[],
  { words, needles, find }: Sought,
): Generator<void, ScanHit[]> {
  const hits: ScanHit[] = [];
  for (const { number, offset, bytes } of chunks) {
    const searched = prepareText(textOf(opened, offset, offset + bytes + overlap));
    const own = textOf(opened, offset, offset + bytes).length;
    const counts = words.map((word, i) =>
      mayHold(searched.folded, needles[i] ?? []) ? find(searched, word).filter((at) => at < own).length : 0,
    );
    const found = counts.filter(Boolean).length;
    if (found > 0) hits.push({ document, number, score: scoreOf(counts), words: found });
    yield;
  }
  return hits;
}

const scanDocument = async (call: DrawerCall, { document, indexed }: Unread, sought: Sought): Promise<ScanHit[]> => {
  const hits: ScanHit[] = [];
  let from: number | undefined = indexed === 0 ? 0 : await call('drawer.blockOf', { document, chunk: indexed + 1 });
  while (from !== undefined) {
    const { blocks, next }: Blocks = await call('drawer.blocks', { document, from });
    const opened = await inSlices(openBlocks(blocks));
    for (const [start, end] of await inSlices(likelyBlocks(opened, next === undefined, sought))) {
      const chunks = await call('drawer.chunks', { document, from: start, to: end });
      const unread = chunks.filter(({ number }) => number > indexed);
      hits.push(...(await inSlices(scanChunks(document, opened, unread, sought))));
    }
    from = next;
  }
  return hits;
};

/** Reads the chunks of `unread` and finds the words in them. The owner only hands out blocks; the work is done here. */
export const scan = async (
  call: DrawerCall,
  unread: readonly Unread[],
  words: readonly QueryWord[],
  manner: Manner,
): Promise<ScanHit[]> => {
  const { needles, find } = finders[manner];
  const sought: Sought = { words, needles: words.map(needles), find };
  const hits: ScanHit[] = [];
  for (const each of unread) hits.push(...(await scanDocument(call, each, sought)));
  return hits;
};
