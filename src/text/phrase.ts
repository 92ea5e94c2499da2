// Where a phrase stands in a text, whatever its case and however its words are parted, over line ends too.
import { fold } from './terms.ts';

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Finds a phrase in a folded text; undefined for one without a word. Linear: nothing in it can match in two ways. */
export const phrasePattern = (phrase: string): RegExp | undefined => {
  const words = fold(phrase).split(/\s+/).filter(Boolean);
  return words.length === 0 ? undefined : new RegExp(words.map(escaped).join(String.raw`\s+`), 'g');
};

const lineEnds = (text: string): number => text.match(/\n/g)?.length ?? 0;

/** First and last line of each place where a phrase stands in `text`, which begins in line `line` of its document. */
export const phraseLines = (text: string, pattern: RegExp, line: number): (readonly [number, number])[] => {
  const folded = fold(text);
  return Array.from(folded.matchAll(pattern), ({ 0: found, index }) => {
    const first = line + lineEnds(folded.slice(0, index));
    return [first, first + lineEnds(found)] as const;
  });
};
