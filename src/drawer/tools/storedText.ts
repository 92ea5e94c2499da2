// What a store answers.
import { reportOf } from './report.ts';
import type { Stored } from '#drawer/types.ts';
import { counted, grouped } from '#base/text.ts';

const mostMasks = 5;

/** What was masked in a document and where; empty where nothing was. */
const maskedIn = ({ redactions }: Stored): string => {
  if (redactions.length === 0) return '';
  const named = redactions.slice(0, mostMasks).map(({ rule, line }) => `${rule} in line ${line}`);
  const more = redactions.length > mostMasks ? `, and ${grouped(redactions.length - mostMasks)} more` : '';
  return `${counted(redactions.length, 'secret')} masked as ‹redacted:rule:length› (${named.join(', ')}${more})`;
};

const maskedNote = (stored: Stored): string[] => {
  const masked = maskedIn(stored);
  return masked === '' ? [] : [`${masked}: do not write such lines back.`];
};

const evictedNote = ({ evicted }: Stored): string[] =>
  evicted.length === 0 ? [] : [`The drawer was full; the oldest went: ${evicted.join(', ')}.`];

const shownFigure = (value: number | undefined): string =>
  value === undefined ? 'not measured' : String(Math.round(1_000 * value) / 1_000);

/** What was done, in figures, for whoever asks to have it explained; and what they do not say. */
const explained = (stored: Stored): string[] => {
  const report = reportOf(stored);
  const { inline, duplicate, sha256, redactions, chunks } = stored;
  const estimated = report.estimated ? ' (extrapolated)' : '';
  return [
    `report: original_tokens ${grouped(report.original_tokens)}${estimated}, anchor_tokens ${grouped(report.anchor_tokens)}, saved_pct ${report.saved_pct}`,
    `  coverage ${shownFigure(report.coverage)} of the invariants are visible here; retrievable ${report.retrievable}; lossless ${report.lossless}`,
    `  inline ${inline}, duplicate ${duplicate}, chunks ${grouped(chunks)}, sha256 ${sha256}`,
    '  saved_pct leaves out later searches and the listing; retrievable does not say that the first search finds it',
    ...redactions.map(({ rule, line, length }) => `  masked: ${rule}, line ${line}, ${counted(length, 'byte')}`),
  ];
};

/**
 * What the model sees of one stored document: its anchor, or the content itself where it is too small to be worth
 * moving. Such content stands alone, without a word around it: an answer is never larger than what it stands for.
 */
export const storedText = (stored: Stored, named: (words: string) => string, explain = false): string => {
  const notes = [...maskedNote(stored), ...evictedNote(stored), ...(explain ? explained(stored) : [])];
  const shown = stored.inline ? contentText(stored) : nextNamed(stored.text, named);
  // What was masked comes first: whoever writes the text back to its file would write the masks.
  return notes.length === 0 ? shown : `${notes.join('\n')}\n${shown}`;
};

/** The last line of an anchor names the next calls. */
const nextNamed = (anchor: string, named: (words: string) => string): string => {
  const last = anchor.lastIndexOf('\n') + 1;
  return anchor.slice(0, last) + named(anchor.slice(last));
};

/** The documents that came about. */
export const idsOf = (stored: readonly Stored[]): string[] =>
  stored.map(({ id }) => id).filter((id) => id !== undefined);

const contentText = ({ id, title, text, encoding, bytes }: Stored): string => {
  if (bytes === 0) return `${title} is empty (0 bytes).`;
  // A title that is the content's own beginning says nothing that is not there.
  const named = text.startsWith(title) ? '' : ` ${title}`;
  const kept = id === undefined ? '' : `stored whole as ${id}${named}, kept`;
  const coded = encoding === 'base64' ? `${title}: base64, ${counted(bytes, 'byte')}, not valid UTF-8` : '';
  const head = [kept, coded].filter((words) => words !== '').join('; ');
  return head === '' ? text : `${head}:\n${text}`;
};

/** One line for a document among many. */
export const storedLine = (stored: Stored): string => {
  const { id, title, bytes, lines, tokens, kind, alsoNamed } = stored;
  const size = `${counted(bytes, 'byte')}, ${counted(lines, 'line')}, ${grouped(tokens)} tokens`;
  const also = alsoNamed.length === 0 ? '' : `; same bytes as ${alsoNamed.join(', ')}`;
  const masked = maskedIn(stored);
  return `${id ?? 'not stored (too small)'} ${title}: ${kind}, ${size}${also}${masked && `; ${masked}`}`;
};
