// Passages as a model sees them: no line of content can be taken for a word of Loom's.
import type { Passage } from '#drawer/types.ts';

/** What looks like the end of a line and is none to `lines`. */
const otherBreaks = /\r|[\v\f\u0085\u2028\u2029]/;

/**
 * `>` before each line that holds a hit, `|` before the others. A number on every line would cost 11 % of an answer: the first
 * line has one, and the first of some hits in a row.
 */
const marked = ({ lines: [first], hits, text }: Passage): string[] =>
  text
    .replace(/\r?\n$/, '')
    .split('\n')
    .flatMap((line, n) => {
      const number = first + n;
      const isHit = hits.includes(number);
      const isNumbered = n === 0 || (isHit && !hits.includes(number - 1));
      const [begin = '', ...rest] = line.replace(/\r$/, '').split(otherBreaks);
      const mark = isHit ? '>' : '|';
      return [`${isNumbered ? number : ''}${mark}${begin}`, ...rest.map((piece) => `${mark}${piece}`)];
    });

/** How a document stands to its file; empty where it is what the file holds. */
export const standingWords = ({ title, newer, onDisk }: Pick<Passage, 'title' | 'newer' | 'onDisk'>): string[] => {
  if (newer !== undefined) return [`newer: ${newer}`];
  if (onDisk === undefined) return [];
  const file = onDisk.title === title ? 'file' : onDisk.title;
  return [onDisk.state === 'gone' ? `${file} is gone since` : `${file} changed since: store it again`];
};

const named = (passage: Passage): string => [`${passage.doc} ${passage.title}`, ...standingWords(passage)].join('; ');

/** Each document's name stands above its passages, once where they follow each other. */
export const passagesText = (passages: readonly Passage[]): string =>
  passages
    .flatMap((passage, n) => {
      const same = passages[n - 1]?.doc === passage.doc;
      return [same ? '--' : named(passage), ...marked(passage)];
    })
    .join('\n');
