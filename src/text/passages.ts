// Passages around the lines that answer a query: cut, joined where they touch, best first.
import { characterStart } from '#base/utf8.ts';
import {
  clusters,
  hitLines,
  linesOf,
  scoreOf,
  textOf,
  weightsOf,
  type HitLine,
  type Line,
  type Weights,
  type Window,
} from './hitLines.ts';
import type { Manner, QueryWord } from './query.ts';

/** Exact text around hits; its `windows` in their order. */
export type TextPassage<W extends Window> = {
  windows: readonly W[];
  lines: readonly [number, number];
  /** Line numbers that hold a hit. */
  hits: readonly number[];
  text: string;
  score: number;
};

/** Lines shown before and behind a hit, while a passage stays as short as that, in bytes. */
const context = 2;
const usualBytes = 360;
/** Bytes of one passage, and of what two that touch are joined to. */
const mostBytes = 900;
/** Of a longer line only the surroundings of its hit are shown. */
const longLine = 400;

/** A passage in the making; `start` and `end` are bytes of the document. */
type Cut<W> = { start: number; end: number; line: number; hits: number[]; score: number; window: W };

/** The surroundings of byte `at` inside a line that is too long to show. */
const inLine = (window: Window, line: Line, at: number, bytesShown: number): [number, number] => {
  const { bytes, offset } = window;
  const start = Math.max(line.start, at - Math.floor(bytesShown / 2));
  return [
    offset + characterStart(bytes, start - offset),
    offset + characterStart(bytes, Math.min(line.end, start + bytesShown) - offset),
  ];
};

/** Lines around a cluster of hits, of at most `space` bytes: first the hits, then what stands around them. */
const cutCluster = <W extends Window>(
  window: W,
  lines: readonly Line[],
  hits: readonly HitLine[],
  space: number,
): Omit<Cut<W>, 'score'> => {
  const [first] = hits;
  const line = lines[first?.index ?? 0];
  if (!first || !line) return { start: window.own[0], end: window.own[0], line: window.line, hits: [], window };
  if (line.end - line.start > Math.min(space, longLine)) {
    const [start, end] = inLine(window, line, first.at, Math.min(space, longLine));
    return { start, end, line: line.number, hits: [line.number], window };
  }
  let from = first.index;
  let to = from;
  const within = (a: number, b: number, bytes: number): boolean => {
    const [top, bottom] = [lines[a], lines[b]];
    return top !== undefined && bottom !== undefined && bottom.end - top.start <= bytes;
  };
  const last = hits.at(-1)?.index ?? from;
  while (to < last && within(from, to + 1, space)) to++;
  const short = Math.min(space, usualBytes);
  for (let step = 0; step < context; step++) {
    if (to >= last && to < last + context && within(from, to + 1, short)) to++;
    if (from > first.index - context && within(from - 1, to, short)) from--;
  }
  const shown = hits.filter(({ index }) => index <= to).map(({ index }) => lines[index]?.number ?? 0);
  const [top, bottom] = [lines[from], lines[to]];
  return { start: top?.start ?? 0, end: bottom?.end ?? 0, line: top?.number ?? 0, hits: shown, window };
};

type Looked<W> = { window: W; score: number; lines: Line[]; hits: HitLine[] };

/** A window's own score only decides between passages that answer equally well. */
const tie = (score: number): number => (0.05 * score) / (score + 10);

const cutsOf = <W extends Window>(
  { window, score, lines, hits }: Looked<W>,
  words: readonly QueryWord[],
  weights: Weights,
  space: number,
): Cut<W>[] => {
  if (hits.length === 0) {
    // The words stand there for the index, but not within one line: the beginning of the window's part.
    const index = Math.max(
      0,
      lines.findIndex(({ end }) => end > window.own[0]),
    );
    const at = { index, words: new Set<QueryWord>(), exact: new Set<QueryWord>(), at: window.own[0] };
    return [{ ...cutCluster(window, lines, [at], space), hits: [], score: tie(score) }];
  }
  return clusters(hits, weights).map((cluster) => ({
    ...cutCluster(window, lines, cluster, space),
    score: scoreOf(cluster, words, weights) + tie(score),
  }));
};

type Joined<W> = { cuts: Cut<W>[]; start: number; end: number };

/** Passages that touch become one where it stays short; else the second gives up what the first has shown. */
const join = <W extends Window>(cuts: readonly Cut<W>[], space: number): Joined<W>[] => {
  const joined: Joined<W>[] = [];
  for (const cut of cuts.toSorted((a, b) => a.window.document - b.window.document || a.start - b.start)) {
    const last = joined.at(-1);
    const before = last?.cuts[0]?.window.document === cut.window.document ? last : undefined;
    if (before && cut.start <= before.end && Math.max(before.end, cut.end) - before.start <= space) {
      before.cuts.push(cut);
      before.end = Math.max(before.end, cut.end);
    } else joined.push({ cuts: [cut], start: cut.start, end: cut.end });
  }
  return joined;
};

const assemble = <W extends Window>({ cuts, start }: Joined<W>): TextPassage<W> => {
  const pieces: string[] = [];
  let at = start;
  for (const cut of cuts) {
    if (cut.end > at) pieces.push(textOf(cut.window, Math.max(at, cut.start), cut.end));
    at = Math.max(at, cut.end);
  }
  const text = pieces.join('').replace(/\r?\n$/, '');
  const line = cuts[0]?.line ?? 1;
  return {
    windows: Array.from(new Set(cuts.map(({ window }) => window))),
    lines: [line, line + (text.match(/\n/g)?.length ?? 0)],
    hits: Array.from(new Set(cuts.flatMap(({ hits }) => hits))).sort((a, b) => a - b),
    text,
    score: Math.max(...cuts.map(({ score }) => score)),
  };
};

/** `units`: the most UTF-16 units that all passages together will have; one of them has no more bytes than that. */
export type PassageArgs = { words: readonly QueryWord[]; manner: Manner; units: number };

/** Passages of some windows that hold the words, best first. */
export function* makePassages<W extends Window>(
  found: readonly { window: W; score: number }[],
  { words, manner, units }: PassageArgs,
): Generator<void, TextPassage<W>[]> {
  const space = Math.max(1, Math.min(mostBytes, units));
  const looked: Looked<W>[] = [];
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
  const cuts: Cut<W>[] = [];
  for (const each of looked) {
    cuts.push(...cutsOf(each, words, weights, space));
    yield;
  }
  const passages = join(cuts, space).map(assemble);
  // A stable sort: equals stay in the order of documents and lines.
  return passages.sort((a, b) => b.score - a.score);
}
