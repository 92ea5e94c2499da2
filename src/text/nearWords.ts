// Which of the known words a misspelt one meant.
import leven from 'leven';

/** Edits that a word of this length may be away: a third of it, and two at least. */
const usualEdits = (word: string): number => Math.max(2, Math.floor(word.length / 3));

/** The known words that `word` becomes by at most `edits` insertions, deletions and replacements, the nearest first. */
export const nearWords = (word: string, known: Iterable<string>, edits = usualEdits(word)): string[] =>
  Array.from(known, (each) => ({ each, away: leven(word, each, { maxDistance: edits + 1 }) }))
    .filter(({ away }) => away <= edits)
    .toSorted((one, other) => one.away - other.away)
    .map(({ each }) => each);
