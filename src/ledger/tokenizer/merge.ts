// Byte-pair merging: the tokens of one piece of text.
import { Heap } from './heap.ts';
import type { Vocabulary } from './vocabulary.ts';

// Byte-pair merging: of all neighbouring parts whose joint bytes are a token, join the pair of lowest rank, leftmost
// first, until none is left. js-tiktoken searches all pairs anew for each merge, so 20,000 times one letter take it
// over a minute; with a heap of pairs the time is n log n.

/** Below this many bytes the search for the lowest rank costs less than a heap. */
const shortest = 65;
const noRank = 0x7fff_ffff;
/** Heap steps between two yields: about a millisecond. */
const stepsAYield = 2_000;
/** A heap entry is rank × span + position: exact in a double, and ordered by rank, then from the left. */
const span = 2 ** 31;

// Part i of a short piece goes from cuts[i] to cuts[i + 1]; pairs[i] is the rank of parts i and i + 1 together.
const cuts = new Int32Array(shortest + 1);
const pairs = new Int32Array(shortest + 1);

/** The number of tokens in one pre-token; `bytes` as in `Vocabulary`. */
export function* mergedLength(bytes: string, vocabulary: Vocabulary): Generator<void, number> {
  return bytes.length < shortest ? mergeShort(bytes, vocabulary) : yield* mergeLong(bytes, vocabulary);
}

const mergeShort = (bytes: string, { ranks }: Vocabulary): number => {
  const rankAt = (at: number): number => ranks.get(bytes.slice(cuts[at], cuts[at + 2])) ?? noRank;
  let parts = bytes.length;
  for (let i = 0; i <= parts; i++) cuts[i] = i;
  for (let i = 0; i < parts - 1; i++) pairs[i] = rankAt(i);
  for (;;) {
    let lowest = noRank;
    let at = -1;
    for (let i = 0; i < parts - 1; i++) {
      if (pairs[i]! >= lowest) continue;
      lowest = pairs[i]!;
      at = i;
    }
    if (at < 0) return parts;
    cuts.copyWithin(at + 1, at + 2, parts + 1);
    pairs.copyWithin(at, at + 1, parts - 1);
    parts--;
    if (at < parts - 1) pairs[at] = rankAt(at);
    if (at > 0) pairs[at - 1] = rankAt(at - 1);
  }
};

function* mergeLong(bytes: string, { ranks }: Vocabulary): Generator<void, number> {
  // A part is known by the position of its first byte; `pair` holds the rank of a part and the one behind it.
  const end = bytes.length;
  const next = new Int32Array(end);
  const previous = new Int32Array(end);
  const pair = new Int32Array(end);
  const heap = new Heap(end);
  const rate = (at: number): void => {
    const behind = next[at]!;
    pair[at] = behind < end ? (ranks.get(bytes.slice(at, next[behind])) ?? noRank) : noRank;
    if (pair[at] !== noRank) heap.push(pair[at]! * span + at);
  };
  for (let i = 0; i < end; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
    // Its pair ends where the next one's first part does.
    if (i > 0) rate(i - 1);
    if (i % stepsAYield === 0) yield;
  }
  rate(end - 1);
  let parts = end;
  for (let steps = 1; heap.size > 0; steps++) {
    if (steps % stepsAYield === 0) yield;
    const lowest = heap.pop();
    const at = lowest % span;
    // The pair may have changed since it was put in; its new rank has an entry of its own.
    if (pair[at] !== (lowest - at) / span) continue;
    const joined = next[at]!;
    pair[joined] = noRank;
    next[at] = next[joined]!;
    if (next[at]! < end) previous[next[at]!] = at;
    parts--;
    rate(at);
    if (at > 0) rate(previous[at]!);
  }
  return parts;
}
