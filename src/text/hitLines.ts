// Lines that hold words of a query, what each word is worth, and which lines belong into one passage.
import { finders, isAsWritten, prepareText, type Manner, type QueryWord } from './query.ts';

/** A part of a document in which words were found, with what stands around it. */
export type Window = {
  document: number;
  /** Where the part itself stands in the document: its first byte, and the one behind its last. */
  own: readonly [number, number];
  /** First byte of `bytes`, and the line that it stands in. */
  offset: number;
  line: number;
  bytes: Uint8Array;
};

/** A line of a window: its number, and its bytes in the document. */
export type Line = { number: number; start: number; end: number };
/** `exact`: those of the words that stand there as they were written. */
export type HitLine = { index: number; words: Set<QueryWord>; exact: Set<QueryWord>; at: number };

/** Hits so many lines apart belong together. */
const near = 2;
/** How far a window's part is read into what follows: a literal may reach over the border of a line that was cut. */
const overlap = 256;

export const linesOf = ({ bytes, offset, line }: Window): Line[] => {
  const lines: Line[] = [];
  for (let at = 0, number = line; at < bytes.length; number++) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    lines.push({ number, start: offset + at, end: offset + end });
    at = end;
  }
  return lines;
};

export const textOf = ({ bytes, offset }: Window, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', start - offset, end - offset);

/** The lines of the window's own part that hold words, and where the first of them stands. */
export const hitLines = (
  window: Window,
  lines: readonly Line[],
  words: readonly QueryWord[],
  manner: Manner,
): HitLine[] => {
  const { find } = finders[manner];
  const [first, end] = window.own;
  const searched = prepareText(textOf(window, first, Math.min(end + overlap, window.offset + window.bytes.length)));
  const own = textOf(window, first, end);
  let index = lines.findIndex((line) => line.end > first);
  const hits = new Map<number, HitLine>();
  const places = words
    .flatMap((word) => find(searched, word).map((at) => ({ word, at })))
    .filter(({ at }) => at < own.length)
    .sort((a, b) => a.at - b.at);
  let start = 0;
  for (const { word, at } of places) {
    for (let next = own.indexOf('\n', start); next >= 0 && next < at; next = own.indexOf('\n', start)) {
      start = next + 1;
      index++;
    }
    let hit = hits.get(index);
    if (!hit) {
      const from = Math.max(first, lines[index]?.start ?? first);
      hit = { index, words: new Set(), exact: new Set(), at: from + Buffer.byteLength(own.slice(start, at)) };
      hits.set(index, hit);
    }
    hit.words.add(word);
    if (isAsWritten(searched, word, at)) hit.exact.add(word);
  }
  return Array.from(hits.values());
};

/** What a word is worth: the fewer of the lines looked at hold it, the more. */
export type Weights = ReadonlyMap<QueryWord, number>;

export const weightsOf = (words: readonly QueryWord[], hits: readonly HitLine[]): Weights =>
  new Map(
    words.map((word) => {
      const lines = hits.filter((hit) => hit.words.has(word)).length;
      return [word, lines === 0 ? 0 : Math.log(1 + (hits.length + 1) / lines)];
    }),
  );

const weightOf = (words: Iterable<QueryWord>, weights: Weights): number => {
  let sum = 0;
  for (const word of words) sum += weights.get(word) ?? 0;
  return sum;
};

/** Items in their order, those together of which each belongs to the group before it. */
export const inGroups = <T>(
  items: readonly T[],
  belongs: (item: T, group: readonly [T, ...T[]]) => boolean,
): [T, ...T[]][] => {
  const groups: [T, ...T[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && belongs(item, group)) group.push(item);
    else groups.push([item]);
  }
  return groups;
};

/** Hits near to each other; each cluster holds what is worth showing of them. */
export const clusters = (hits: readonly HitLine[], weights: Weights): HitLine[][] =>
  inGroups(hits, (hit, group) => hit.index - (group.at(-1) ?? group[0]).index <= near).map((group) =>
    worthShowing(group, weights),
  );

/** The best lines of a cluster, and those that hold a word which they lack. */
const worthShowing = (group: readonly HitLine[], weights: Weights): HitLine[] => {
  const best = Math.max(...group.map(({ words }) => weightOf(words, weights)));
  const shown = new Set(group.filter(({ words }) => weightOf(words, weights) >= 0.8 * best));
  const held = new Set(Array.from(shown).flatMap(({ words }) => Array.from(words)));
  for (const hit of group) {
    if (shown.has(hit) || Array.from(hit.words).every((word) => held.has(word))) continue;
    shown.add(hit);
    for (const word of hit.words) held.add(word);
  }
  return group.filter((hit) => shown.has(hit));
};

/** How much of a query a cluster answers, from 0 to 1: what one line holds counts more than what several hold together. */
const answeredBy = (cluster: readonly HitLine[], words: readonly QueryWord[], weights: Weights): number => {
  const whole = weightOf(words, weights) || 1;
  const line = Math.max(...cluster.map((hit) => weightOf(hit.words, weights)));
  const together = weightOf(new Set(cluster.flatMap((hit) => Array.from(hit.words))), weights);
  return (0.6 * line + 0.4 * together) / whole;
};

/** Of lines that answer equally well those come first that have the words as they were written: `Hint` before `InlayHint`. */
const spelling = (cluster: readonly HitLine[], words: readonly QueryWord[]): number =>
  (0.04 * new Set(cluster.flatMap(({ exact }) => Array.from(exact))).size) / words.length;

/** How well a cluster of hits answers a query. */
export const scoreOf = (cluster: readonly HitLine[], words: readonly QueryWord[], weights: Weights): number =>
  answeredBy(cluster, words, weights) + spelling(cluster, words);
