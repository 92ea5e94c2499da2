// What an outline is.
import type { Lines } from '#text/lines.ts';

/** One line of an outline. */
export type Entry = {
  /** The line that it speaks of, from 1; undefined where it speaks of no single one. */
  line?: number | undefined;
  text: string;
  /** What is left out first where there is no space: the higher. Entries are shown in their own order all the same. */
  rank: number;
};

export type Outline = {
  /** What the entries are, as a heading: `12 headings`. */
  title: string;
  entries: readonly Entry[];
};

/** Reads the shape of a document. Pure; yields often enough for slices of 40 ms. */
export type Outliner = (lines: Lines, name: string) => Generator<void, Outline>;

export const noOutline: Outline = { title: '', entries: [] };

/** `text` on one line and not longer than `units`. */
export const short = (text: string, units: number): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= units ? flat : `${flat.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
};
