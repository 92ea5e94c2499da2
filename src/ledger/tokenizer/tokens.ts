// Counts tokens.
import { defaultCounter, type Counter, type TokenCount } from '#ledger/types.ts';
import { mergedLength } from './merge.ts';
import { evenly, stretchesOf } from './stretches.ts';
import { vocabulary, type Vocabulary } from './vocabulary.ts';

// What a count may cost before the rest is extrapolated: a sum and not a time, and blind to the cache, so that the same
// text always gives the same figure. One UTF-16 unit that a look-up settles costs 1 (about 0.1 µs); a byte that has to be
// merged 16 (about 1.5 µs), in pieces that may be cached reckoned as two to a token. So some 24 MB of log, or 1.4 MB
// that are merged throughout, are counted exactly.
const mostEffort = 24 * 2 ** 20;
const effortAMergedByte = 16;
const effortAYield = 2 ** 15;

// From 13 characters on V8 makes a piece a view of the text, which the cache would keep alive.
const longestCached = 12;
const cacheLimit = 50_000;

/**
 * The tokens of `text` under `counter`. Text that looks like a special token (`<|endoftext|>`) is ordinary text: that
 * is how a prompt carries it. A lone surrogate counts as U+FFFD. Holds the thread for a few milliseconds at a time.
 */
export function* countTokens(
  text: string,
  counter: Counter = defaultCounter,
  effortLimit = mostEffort,
): Generator<void, TokenCount> {
  const known = yield* vocabulary(counter);
  const preTokens = new RegExp(known.pattern, 'gu');
  const { ends, exact } = yield* stretchesOf(text);
  let tokens = 0;
  let units = 0;
  let effort = 0;
  let rested = 0;
  for (const index of evenly(ends.length)) {
    if (effort > effortLimit) return { tokens: Math.round((tokens * text.length) / units), estimated: true };
    const stretch = text.slice(ends[index - 1] ?? 0, ends[index]);
    for (const piece of stretch.match(preTokens) ?? []) {
      let count = lookUp(piece, known);
      if (count === undefined) {
        const bytes = asBytes(piece);
        count = yield* mergedLength(bytes, known);
        remember(piece, count, known);
        if (piece.length > longestCached) effort += effortAMergedByte * bytes.length;
      }
      if (piece.length <= longestCached && count > 1) effort += effortAMergedByte * 2 * count;
      tokens += count;
      effort += piece.length;
      if (effort - rested > effortAYield) {
        rested = effort;
        yield;
      }
    }
    units += stretch.length;
  }
  return { tokens, estimated: !exact };
}

/** The tokens of `piece` where no merge is needed to know them. */
const lookUp = (piece: string, known: Vocabulary): number | undefined => {
  const { ranks, cache } = known;
  const cached = piece.length <= longestCached ? cache.get(piece) : undefined;
  if (cached !== undefined) return cached;
  if (piece.length > longestToken || !ranks.has(asBytes(piece))) return undefined;
  remember(piece, 1, known);
  return 1;
};

const remember = (piece: string, tokens: number, { cache }: Vocabulary): void => {
  if (piece.length > longestCached) return;
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(piece, tokens);
};

/** No token has more bytes, so no piece of more UTF-16 units is one. */
const longestToken = 128;

const notAscii = /[^\0-\x7f]/;

/** The UTF-8 of `piece`, written as `Vocabulary` writes bytes. */
const asBytes = (piece: string): string => (notAscii.test(piece) ? Buffer.from(piece).toString('latin1') : piece);
