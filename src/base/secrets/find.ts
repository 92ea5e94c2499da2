// What counts as a secret: all rules over one text.
import { findAssigned } from './assigned.ts';
import { findByForm } from './formats.ts';
import type { Finding } from './mask.ts';
import { findPrivateKeys } from './privateKeys.ts';
import { leastLength } from './values.ts';

/** Findings in their order; those that overlap are one. */
export const joined = (findings: readonly Finding[]): Finding[] => {
  const list: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = list.at(-1);
    if (last && finding.start < last.end) last.end = Math.max(last.end, finding.end);
    else list.push({ ...finding });
  }
  return list.filter(({ start, end }) => end - start >= leastLength);
};

const findPlain = (text: string): Finding[] =>
  joined([...findPrivateKeys(text), ...findByForm(text, text.toLowerCase()), ...findAssigned(text)]);

/** Colours and other controls of a terminal. */
// oxlint-disable-next-line no-control-regex
const control = /\x1b(?:\[[\d;:?]{0,40}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\))/g;

/** `text` without its controls, and where each unit of it stood. */
const withoutControls = (text: string): { plain: string; places: Uint32Array } => {
  const places = new Uint32Array(text.length);
  let plain = '';
  let from = 0;
  const take = (to: number): void => {
    for (let at = from; at < to; at++) places[plain.length + at - from] = at;
    plain += text.slice(from, to);
  };
  for (const { 0: found, index } of text.matchAll(control)) {
    take(index);
    from = index + found.length;
  }
  take(text.length);
  return { plain, places };
};

/**
 * The secrets in `text`, which is read in latin1, a unit a byte: in their order and apart from each other. In time that is in
 * proportion to its length.
 */
export const findSecrets = (text: string): Finding[] => {
  if (!text.includes('\x1b')) return findPlain(text);
  const { plain, places } = withoutControls(text);
  return findPlain(plain).map(({ start, end, rule }) => ({
    start: places[start] ?? 0,
    end: (places[end - 1] ?? 0) + 1,
    rule,
  }));
};
