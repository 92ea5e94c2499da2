// Ranges of lines or bytes as people and models write them: one grammar for every tool that takes one.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';

/** First and last of a selection, both included. Negative counts from the end, -1 being the last; null is open. */
export type Range = readonly [first: number | null, last: number | null];

const bad = (text: string, name: string, why = 'is no range'): never => {
  const example = name === 'bytes' ? '"0-4095"' : '"120-180"';
  throw new LoomError(
    'INVALID_ARGUMENTS',
    `${name}: "${text.slice(0, 60)}" ${why}. Write ${example}; "198-" is from there to the end, ":50" up to there, "-20:" the last 20.`,
  );
};

const number = String.raw`[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})`;
const colons = new RegExp(`^(${number})?\\s*(?::|\\.\\.\\.?)\\s*(${number})?$`);
const dashed = new RegExp(`^(${number})(?:\\s*-\\s*(${number})?)?$`);
const listed = /^(\d{1,15})\s*[,;]\s*(\d{1,15})$/;

const asNumber = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text.replaceAll(',', ''));

/** UTF-16 units of a range that anybody means. */
const longest = 200;

/** `text` without what stands around its numbers: quotes, `lines`, `L12`, `#L12`, typographic dashes. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^(?:lines?|bytes?|rows?)\b[\s:]*/i, '')
    .replaceAll(/#?\bL(\d+)(?:C\d+)?/gi, '$1')
    .replace(/\s+(?:to|through|until)\s+/i, ' .. ')
    .replace(/(:|\.\.|-)\s*(?:end|last|eof|\$)$/i, '$1')
    .trim();

/** `last 20`, `tail -20`, `first 10`, `head 10`, `all`. */
const inWords = (text: string): Range | undefined => {
  if (/^(?:all|\*)$/i.test(text)) return [null, null];
  const match = /^(?:the\s+)?(last|tail|first|head)\s+(?:-n\s*)?-?(\d{1,15})(?:\s+(?:lines?|bytes?))?$/i.exec(text);
  if (match === null) return undefined;
  const count = Number(match[2]);
  return /last|tail/i.test(match[1] ?? '') ? [-count, null] : [null, count];
};

/** `1,200` is two numbers to some and one to others; in brackets it is two. */
const ofPair = (text: string, name: string, [, first = '', last = '']: RegExpExecArray, bracketed: boolean): Range => {
  if (!bracketed && /^\d{3}$/.test(last) && first.length <= 3)
    bad(
      text,
      name,
      `can be ${first} to ${last} or the one number ${first}${last}: write "${first}-${last}" or "${first}${last}"`,
    );
  return [Number(first), Number(last)];
};

/**
 * `120-180`, `120:180`, `120..180`, `[120,180]`, `L120-L180`, `120`; with an end left open (`198-`, `:50`) or counted from the
 * last (`-20:`, and `-20` alone: the last 20). Throws what was wrong with `name`.
 */
export const parseRange = (text: string, name: string): Range => {
  if (text.length > longest) return bad(text, name);
  const plain = bare(text);
  const inner = /^[[(]\s*(.*?)\s*[\])]$/s.exec(plain)?.[1];
  const words = inner ?? plain;
  const told = inWords(words);
  if (told !== undefined) return told;
  const pair = listed.exec(words);
  if (pair !== null) return ofPair(text, name, pair, inner !== undefined);
  const open = colons.exec(words);
  if (open !== null) return [asNumber(open[1]), asNumber(open[2])];
  const several = /\d\s*[,;]\s*\d/.test(words)
    ? 'is more than one range: ask for each in a call of its own'
    : undefined;
  const match = dashed.exec(words) ?? bad(text, name, several);
  const [first, last] = [Number(asNumber(match[1])), asNumber(match[2])];
  if (first < 0 && last !== null && last >= 0)
    return bad(text, name, `can be the last ${-first} or up to ${last}: write "${first}:" or ":${last}"`);
  const isOne = first >= 0 && !/\d\s*-/.test(words);
  return [first, isOne ? first : last];
};

/** A range among `total`, counted from `base`; open ends are those of the whole. Nothing is selected where to < from. */
export const resolveRange = ([first, last]: Range, total: number, base: 0 | 1): { from: number; to: number } => {
  const at = (n: number): number => (n < 0 ? total + n + base : n);
  const from = first === null ? base : Math.max(base, at(first));
  return { from, to: last === null ? total - 1 + base : at(last) };
};

const isCount = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d+\s*$/.test(value));

const ends = [
  ['start', 'end'],
  ['from', 'to'],
  ['first', 'last'],
  ['start_line', 'end_line'],
] as const;

/** A pair, `{start, end}`, or a number as the text of its range; anything else as it is. */
const rangeText = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    const [one, other, ...more] = value as unknown[];
    if (other === undefined) return rangeText(one);
    return more.length === 0 && isCount(one) && isCount(other) ? `${one}:${other}` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  const pair = ends.find((names) => Object.keys(fields).every((name) => (names as readonly string[]).includes(name)));
  const given = (pair ?? []).map((name) => fields[name] ?? '');
  const isRange = given.some(isCount) && given.every((end) => end === '' || isCount(end));
  return isRange ? given.join(':') : value;
};

/** An argument that is a range: listed as a text, and taken as a pair or numbers too. */
export const rangeField = z.preprocess(rangeText, z.string());
