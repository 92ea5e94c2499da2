import { characterStart } from './outline/lines.ts';
import { chunkId, documentId } from './ids.ts';
import type { Window } from './match.ts';
import { findLiteral, findWord, prepareText, type QueryWord } from './query.ts';
import type { Manner } from './scan.ts';
import type { Passage } from './service.ts';

/** Lines shown before and behind a hit. */
const context = 2;
/** Bytes of one passage, and of what two that touch are joined to. */
const most = 1500;
/** Of a longer line only the surroundings of its hit are shown. */
const longLine = 600;

type Line = { number: number; start: number; end: number };
type HitLine = { index: number; words: Set<QueryWord>; at: number };
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
  return lines.flatMap((line, index) => {
    const start = Math.max(line.start, first);
    // A literal may reach over the border of a line that was cut into chunks.
    const text = textOf(window, start, line.end);
    const own = line.end > end ? textOf(window, start, end).length : text.length;
    if (start >= end || line.end <= first) return [];
    const searched = prepareText(text);
    const found = words.map((word) => ({ word, at: find(searched, word)[0] ?? Infinity })).filter(({ at }) => at < own);
    if (found.length === 0) return [];
    const at = start + Buffer.byteLength(text.slice(0, Math.min(...found.map((hit) => hit.at))));
    return [{ index, words: new Set(found.map(({ word }) => word)), at: Math.min(at, line.end) }];
  });
};

/** Hits so near to each other that their contexts touch. */
const clusters = (hits: readonly HitLine[]): HitLine[][] => {
  const groups: HitLine[][] = [];
  for (const hit of hits) {
    const group = groups.at(-1);
    if (group && hit.index - (group.at(-1)?.index ?? 0) <= 2 * context + 1) group.push(hit);
    else groups.push([hit]);
  }
  return groups;
};

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
  const fits = (a: number, b: number): boolean => {
    const [top, bottom] = [lines[a], lines[b]];
    return top !== undefined && bottom !== undefined && bottom.end - top.start <= room;
  };
  const last = hits.at(-1)?.index ?? from;
  while (to < last && fits(from, to + 1)) to++;
  for (let step = 0; step < context; step++) {
    if (to >= last && to < last + context && fits(from, to + 1)) to++;
    if (from > first.index - context && fits(from - 1, to)) from--;
  }
  const shown = hits.filter(({ index }) => index <= to).map(({ index }) => lines[index]?.number ?? 0);
  const [top, bottom] = [lines[from], lines[to]];
  return { start: top?.start ?? 0, end: bottom?.end ?? 0, line: top?.number ?? 0, hits: shown, window };
};

const cutsOf = (window: Window, score: number, words: readonly QueryWord[], manner: Manner, room: number): Cut[] => {
  const lines = linesOf(window);
  const hits = hitLines(window, lines, words, manner);
  if (hits.length === 0) {
    // The words stand there for the index, but not within one line: the chunk's beginning.
    const index = lines.findIndex(({ end }) => end > window.own[0]);
    const at = { index: Math.max(0, index), words: new Set<QueryWord>(), at: window.own[0] };
    return [{ ...cutCluster(window, lines, [at], room), hits: [], score }];
  }
  const held = new Set(hits.flatMap((hit) => Array.from(hit.words))).size;
  return clusters(hits).map((cluster) => {
    const inside = new Set(cluster.flatMap((hit) => Array.from(hit.words))).size;
    return { ...cutCluster(window, lines, cluster, room), score: score * (0.5 + (0.5 * inside) / held) };
  });
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
  const cuts: Cut[] = [];
  for (const { window, score } of found) {
    cuts.push(...cutsOf(window, score, words, manner, room));
    yield;
  }
  const passages = join(cuts, room).map(assemble);
  // A stable sort: equals stay in the order of documents and lines.
  return passages.sort((a, b) => b.score - a.score);
}
