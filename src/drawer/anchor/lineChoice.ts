// Which lines an anchor shows, and how one of them looks.
import { counted } from '#base/text.ts';
import type { Kind } from '#drawer/contents.ts';
import { spreadOrder } from '#drawer/outline/spread.ts';
import type { Lines } from '#text/lines.ts';
import { byImportance, type ImportantLine } from './importantLines.ts';

/** A line is shown up to here, in UTF-16 units. */
const mostUnits = 220;

export const shownLine = (lines: Lines, index: number): string => {
  const whole = lines.length(index);
  const text = lines.text(index, mostUnits * 3);
  const cut = text.length <= mostUnits ? text : text.slice(0, mostUnits).replace(/[\uD800-\uDBFF]$/, '');
  const left = whole - Buffer.byteLength(cut);
  const visible = cut.replaceAll('\0', '␀').replaceAll('\r', '␍');
  return `${index + 1}: ${visible}${left > 0 && cut.length >= mostUnits ? ` … (${counted(left, 'more byte')})` : ''}`;
};

export const sameForm = ({ count, last }: ImportantLine): string =>
  count > 1 ? `\n   (${counted(count, 'line')} of this form, the last is ${last + 1})` : '';

/** Lines from either end, and lines spread over a text without markup, that are shown where there is space. */
const endLines = 5;
const spreadLines = 8;

/** Lines by importance: what each is to be shown for, and what follows it. */
export const candidates = (
  lines: Lines,
  important: readonly ImportantLine[],
  kind: Kind,
): Map<number, ImportantLine | undefined> => {
  const chosen = new Map<number, ImportantLine | undefined>();
  const add = (index: number, why?: ImportantLine): void => {
    if (index < 0 || index >= lines.count || (chosen.has(index) && !why)) return;
    if (why || lines.text(index, 80).trim() !== '') chosen.set(index, why);
  };
  add(0);
  add(lines.count - 1);
  const ordered = byImportance(important);
  for (const each of ordered) {
    add(each.index, each);
    if (each.reason === 'failure') add(each.index + 1, chosen.get(each.index + 1));
  }
  for (const each of ordered) {
    if (each.reason !== 'failure') continue;
    add(each.index - 1, chosen.get(each.index - 1));
    add(each.index + 2, chosen.get(each.index + 2));
  }
  for (let i = 1; i < endLines; i++) {
    add(i, chosen.get(i));
    add(lines.count - 1 - i, chosen.get(lines.count - 1 - i));
  }
  if (kind === 'plain' || kind === 'csv' || kind === 'ndjson') {
    for (const index of spreadOrder(lines.count, spreadLines)) add(index, chosen.get(index));
  }
  return chosen;
};
