// Vocabularies of tokenizers.
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { Counter } from '#ledger/types.ts';

const rankings = { o200k_base: o200k, cl100k_base: cl100k } as const satisfies Record<Counter, object>;

/** A byte-pair vocabulary. Bytes are written as latin1 strings: one character a byte, cheap to cut and to look up. */
export type Vocabulary = {
  /** Cuts text into the pre-tokens that merges never cross. */
  pattern: string;
  /** From a token's bytes to its rank. The lower the rank, the earlier it is merged. */
  ranks: ReadonlyMap<string, number>;
  /** Tokens of short pieces that were counted before. */
  cache: Map<string, number>;
};

/** How many ranks are decoded between two yields: about a millisecond's work. */
const ranksAStep = 1_000;

// Each line is `! <rank of the first token> <base64> <base64> …`, 1 to 2.3 MB in all.
function* decode(counter: Counter): Generator<void, Vocabulary> {
  const { bpe_ranks: lines, pat_str } = rankings[counter];
  const found = new Map<string, number>();
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf('\n', start) < 0 ? lines.length : lines.indexOf('\n', start);
    const first = lines.indexOf(' ', start) + 1;
    let space = lines.indexOf(' ', first);
    let rank = Number(lines.slice(first, space));
    while (space >= 0 && space < end) {
      const next = lines.indexOf(' ', space + 1);
      const stop = next < 0 || next > end ? end : next;
      found.set(atob(lines.slice(space + 1, stop)), rank++);
      space = next;
      if (rank % ranksAStep === 0) yield;
    }
    start = end + 1;
  }
  return { pattern: asInRust(pat_str), ranks: found, cache: new Map() };
}

/**
 * The pattern as OpenAI's tokenizer, written in Rust, understands it: there `\s` is Unicode's White_Space, whereas
 * JavaScript's has U+FEFF, which begins many a Windows file, and lacks U+0085; and the contraction `'s` is matched
 * without regard to case, which makes the long s, U+017F, one.
 */
const asInRust = (pattern: string): string =>
  pattern
    .replaceAll('\\s', '\\p{White_Space}')
    .replaceAll('\\S', '\\P{White_Space}')
    .replaceAll("'s|'S", "'[sS\u017f]");

const decoding = new Map<Counter, Generator<void, Vocabulary>>();
const decoded = new Map<Counter, Vocabulary>();

/** The vocabulary of `counter`, decoded at its first use (0.2 s). Whoever else asks meanwhile helps with the same work. */
export function* vocabulary(counter: Counter): Generator<void, Vocabulary> {
  for (;;) {
    const known = decoded.get(counter);
    if (known) return known;
    const work = decoding.get(counter) ?? decode(counter);
    decoding.set(counter, work);
    const step = work.next();
    if (step.done) decoded.set(counter, step.value);
    else yield;
  }
}
