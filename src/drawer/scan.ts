import type { Call } from '#base/operation.ts';
import { inSlices } from '#base/slices.ts';
import { decompress } from './blocks.ts';
import type { Blocks, Unread } from './match.ts';
import type { DrawerOperations } from './operations.ts';
import { findLiteral, findWord, needlesOf, prepareText, type QueryWord, type Searched } from './query.ts';
import { fold } from './terms.ts';

/** How words are looked for: as the index does, or letter by letter, also inside another word. */
export type Manner = 'words' | 'literal';
/** A chunk in which some of the words stand. */
export type ScanHit = { document: number; number: number; score: number; words: number };

/** How far a chunk is read into the next: a literal may stand across the border of a cut line. */
const overlap = 256;

const finders = {
  words: { needles: needlesOf, find: findWord },
  literal: { needles: (word: QueryWord) => [word.core], find: findLiteral },
};

/** BM25's saturation without its weights, which only an index knows. */
const scoreOf = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + (count * 2.2) / (count + 1.2), 0);

function* scanBlocks(
  document: number,
  { blocks, chunks }: Blocks,
  words: readonly QueryWord[],
  manner: Manner,
): Generator<void, ScanHit[]> {
  const { needles, find } = finders[manner];
  const opened: Buffer[] = [];
  for (const { data } of blocks) {
    opened.push(decompress(data));
    yield;
  }
  const start = blocks[0]?.offset ?? 0;
  const bytes = Buffer.concat(opened);
  const text = (from: number, to: number): string => bytes.toString('utf8', from - start, to - start);
  const mayHold = (folded: string, word: QueryWord): boolean => needles(word).some((needle) => folded.includes(needle));
  const countIn = (searched: Searched, word: QueryWord, own: number): number =>
    find(searched, word).filter((at) => at < own).length;
  const hits: ScanHit[] = [];
  for (let i = 0; i < chunks.length;) {
    // All chunks of one block first as one text: most blocks hold none of the words.
    let end = i + 1;
    while (end < chunks.length && chunks[end]?.[1] === chunks[i]?.[1]) end++;
    const inBlock = chunks.slice(i, end);
    i = end;
    const last = inBlock.at(-1);
    const folded = fold(text(inBlock[0]?.[2] ?? 0, (last?.[2] ?? 0) + (last?.[3] ?? 0) + overlap));
    yield;
    if (!words.some((word) => mayHold(folded, word))) continue;
    for (const [number, , offset, length] of inBlock) {
      const searched = prepareText(text(offset, offset + length + overlap));
      const own = text(offset, offset + length).length;
      const counts = words.map((word) => (mayHold(searched.folded, word) ? countIn(searched, word, own) : 0));
      const found = counts.filter(Boolean).length;
      if (found > 0) hits.push({ document, number, score: scoreOf(counts), words: found });
      yield;
    }
  }
  return hits;
}

/** Reads the chunks of `unread` and finds the words in them. The owner only hands out blocks; the work is done here. */
export const scan = async (
  call: Call<DrawerOperations>,
  unread: readonly Unread[],
  words: readonly QueryWord[],
  manner: Manner,
): Promise<ScanHit[]> => {
  const hits: ScanHit[] = [];
  for (const { document, indexed } of unread) {
    for (let from: number | undefined = indexed + 1; from !== undefined;) {
      const blocks: Blocks = await call('drawer.blocks', { document, fromChunk: from });
      hits.push(...(await inSlices(scanBlocks(document, blocks, words, manner))));
      from = blocks.next;
    }
  }
  return hits;
};
