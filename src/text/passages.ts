import { characterStart } from './lines.ts';
import { chunkId, documentId } from '#drawer/ids.ts';
import type { Window } from '#drawer/search/match.ts';
import { findLiteral, findWord, isAsWritten, prepareText, type QueryWord } from './query.ts';
import type { Manner } from '#drawer/search/scan.ts';
import type { Passage } from '#drawer/types.ts';

/** Lines shown before and behind a hit, while a passage stays as short as that, in bytes. */
const context = 2;
const usual = 360;
/** Bytes of one passage, and of what two that touch are joined to. */
const most = 900;
/** Of a longer line only the surroundings of its hit are shown. */
const longLine = 400;
/** Hits so many lines apart belong together. */
const near = 2;

type Line = { number: number; start: number; end: number };
/** `exact`: those of the words that stand there as they were written. */
type HitLine = { index: number; words: Set<QueryWord>; exact: Set<QueryWord>; at: number };
/** A passage in the making; `start` and `end` are bytes of the document. */
type Cut = { start: number; end: number; line: number; hits: number[]; score: number; window: Window };

const linesOf = ({ bytes, offset, line }: Window): Line[] => {
  const lines: Line[] = [];
  for (let at = 0, number = line; at < bytes.length; number++) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    lines.push({ number, start: offset + at, end: offset + end });
    at = end;
  }
  return lines;
};

const textOf = ({ bytes, offset }: Window, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', start - offset, end - offset);

/** The lines of the window's own chunk that hold words, and where the first of them stands. */
const hitLines = (window: Window, lines: readonly Line[], words: readonly QueryWord[], manner: Manner): HitLine[] => {
  const find = manner === 'words' ? findWord : findLiteral;
  const [first, end] = window.own;
  // A literal may reach over the border of a line that was cut into chunks.
  const searched = prepareText(textOf(window, first, Math.min(end + 256, window.offset + window.bytes.length)));
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
type Weights = ReadonlyMap<QueryWord, number>;

const weightsOf = (words: readonly QueryWord[], hits: readonly HitLine[]): Weights =>
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

/** Hits near to each other; each cluster holds what is worth showing of them. */
const clusters = (hits: readonly HitLine[], weights: Weights): HitLine[][] => {
  const groups: HitLine[][] = [];
  for (const hit of hits) {
    const group = groups.at(-1);
    if (group && hit.index - (group.at(-1)?.index ?? 0) <= near) group.push(hit);
    else groups.push([hit]);
  }
  return groups.map((group) => worthShowing(group, weights));
};

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

/** The surroundings of byte `at` inside a line that is too long to show. */
const inLine = (window: Window, line: Line, at: number, room: number): [number, number] => {
  const { bytes, offset } = window;
  const start = Math.max(line.start, at - Math.floor(room / 2));
  return [
    offset + characterStart(bytes, start - offset),
    offset + characterStart(bytes, Math.min(line.end, start + room) - offset),
  ];
};

/** Lines around a cluster of hits, as many as `room` has place for: first the hits, then what stands around them. */
const cutCluster = (
  window: Window,
  lines: readonly Line[],
  hits: readonly HitLine[],
  room: number,
): Omit<Cut, 'score'> => {
  const [first] = hits;
  const line = lines[first?.index ?? 0];
  if (!first || !line) return { start: window.own[0], end: window.own[0], line: window.line, hits: [], window };
  if (line.end - line.start > Math.min(room, longLine)) {
    const [start, end] = inLine(window, line, first.at, Math.min(room, longLine));
    return { start, end, line: line.number, hits: [line.number], window };
  }
  let from = first.index;
  let to = from;
  const fits = (a: number, b: number, bytes: number): boolean => {
    const [top, bottom] = [lines[a], lines[b]];
    return top !== undefined && bottom !== undefined && bottom.end - top.start <= bytes;
  };
  const last = hits.at(-1)?.index ?? from;
  while (to < last && fits(from, to + 1, room)) to++;
  const short = Math.min(room, usual);
  for (let step = 0; step < context; step++) {
    if (to >= last && to < last + context && fits(from, to + 1, short)) to++;
    if (from > first.index - context && fits(from - 1, to, short)) from--;
  }
  const shown = hits.filter(({ index }) => index <= to).map(({ index }) => lines[index]?.number ?? 0);
  const [top, bottom] = [lines[from], lines[to]];
  return { start: top?.start ?? 0, end: bottom?.end ?? 0, line: top?.number ?? 0, hits: shown, window };
};

type Looked = { window: Window; score: number; lines: Line[]; hits: HitLine[] };

/** A chunk's own score only decides between passages that answer equally well. */
const tie = (score: number): number => (0.05 * score) / (score + 10);

const cutsOf = (looked: Looked, words: readonly QueryWord[], weights: Weights, room: number): Cut[] => {
  const { window, score, lines, hits } = looked;
  if (hits.length === 0) {
    // The words stand there for the index, but not within one line: the chunk's beginning.
    const index = lines.findIndex(({ end }) => end > window.own[0]);
    const at = {
      index: Math.max(0, index),
      words: new Set<QueryWord>(),
      exact: new Set<QueryWord>(),
      at: window.own[0],
    };
    return [{ ...cutCluster(window, lines, [at], room), hits: [], score: tie(score) }];
  }
  return clusters(hits, weights).map((cluster) => ({
    ...cutCluster(window, lines, cluster, room),
    score: answeredBy(cluster, words, weights) + spelling(cluster, words) + tie(score),
  }));
};

type Joined = { cuts: Cut[]; start: number; end: number };

/** Passages that touch become one where it stays short; else the second gives up what the first has shown. */
const join = (cuts: readonly Cut[], room: number): Joined[] => {
  const joined: Joined[] = [];
  for (const cut of cuts.toSorted((a, b) => a.window.document - b.window.document || a.start - b.start)) {
    const last = joined.at(-1);
    const before = last?.cuts[0]?.window.document === cut.window.document ? last : undefined;
    if (before && cut.start <= before.end && Math.max(before.end, cut.end) - before.start <= room) {
      before.cuts.push(cut);
      before.end = Math.max(before.end, cut.end);
    } else joined.push({ cuts: [cut], start: cut.start, end: cut.end });
  }
  return joined;
};

const assemble = ({ cuts, start }: Joined): Passage => {
  const [first] = cuts;
  const pieces: string[] = [];
  let at = start;
  for (const cut of cuts) {
    if (cut.end > at) pieces.push(textOf(cut.window, Math.max(at, cut.start), cut.end));
    at = Math.max(at, cut.end);
  }
  const text = pieces.join('').replace(/\r?\n$/, '');
  const line = first?.line ?? 1;
  const document = first?.window.document ?? 0;
  return {
    doc: documentId(document),
    title: first?.window.title ?? '',
    chunks: Array.from(new Set(cuts.map(({ window }) => window.chunk)), (chunk) => chunkId(document, chunk)),
    lines: [line, line + (text.match(/\n/g)?.length ?? 0)],
    hits: Array.from(new Set(cuts.flatMap(({ hits }) => hits))).sort((a, b) => a - b),
    text,
    score: Math.max(...cuts.map(({ score }) => score)),
  };
};

export type PassageArgs = { words: readonly QueryWord[]; manner: Manner; units: number };

/** Passages of some chunks that hold the words, best first. */
export function* makePassages(
  found: readonly { window: Window; score: number }[],
  { words, manner, units }: PassageArgs,
): Generator<void, Passage[]> {
  const room = Math.max(1, Math.min(most, units));
  const looked: Looked[] = [];
  for (const { window, score } of found) {
    const lines = linesOf(window);
    looked.push({ window, score, lines, hits: hitLines(window, lines, words, manner) });
    yield;
  }
  const weights = weightsOf(
    words,
    looked.flatMap(({ hits }) => hits),
  );
  yield;
  const cuts: Cut[] = [];
  for (const each of looked) {
    cuts.push(...cutsOf(each, words, weights, room));
    yield;
  }
  const passages = join(cuts, room).map(assemble);
  // A stable sort: equals stay in the order of documents and lines.
  return passages.sort((a, b) => b.score - a.score);
}
