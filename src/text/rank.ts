// How well texts answer a query: with an index's counts, without an index, and by fields that are worth more or less.
import { terms } from './query.ts';

const k1 = 1.2;
const b = 0.75;

/** How often a word stands in a text of `length` words, and what an index knows of it: texts that hold it, of how many. */
export type WordCounts = { hits: number; length: number; averageLength: number; holding: number; texts: number };

/** What one word adds to the BM25 score of a text. */
export const bm25 = ({ hits, length, averageLength, holding, texts }: WordCounts): number => {
  const rarity = Math.log(1 + (texts - holding + 0.5) / (holding + 0.5));
  return (rarity * hits * (k1 + 1)) / (hits + k1 * (1 - b + (b * length) / averageLength));
};

/** The same without an index: a word counts the more the oftener it stands there, but ever less. */
export const saturated = (hits: number): number => (hits * (k1 + 1)) / (hits + k1);

/** A text of an item, and what it is worth where one of its words begins as a term of the query. */
export type Field = { text: string; worth: number };
export type Ranked<T> = { item: T; score: number };

/** Items that a query finds, best first, equals in their order: each of its terms counts in the field worth most. */
export const rankByFields = <T>(
  items: readonly T[],
  query: string,
  fieldsOf: (item: T) => readonly Field[],
): Ranked<T>[] => {
  const wanted = terms(query);
  const worthOf = (fields: readonly (Field & { own: string[] })[], term: string): number =>
    Math.max(0, ...fields.map(({ own, worth }) => (own.some((each) => each.startsWith(term)) ? worth : 0)));
  return items
    .map((item) => {
      const fields = fieldsOf(item).map((field) => ({ ...field, own: terms(field.text) }));
      return { item, score: wanted.reduce((sum, term) => sum + worthOf(fields, term), 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
};
