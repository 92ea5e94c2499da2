// Private keys between their BEGIN and END: on lines of their own, on one line, or with escaped line ends.
import type { Finding } from './mask.ts';

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** More of it is not looked at. */
const mostBody = 12_000;
const body = new RegExp(
  String.raw`(?:(?!-----)[\w+/=:,.()\\ \t\r\n-]){20,${mostBody}}-----END [A-Z0-9 ]{0,40}-----`,
  'y',
);
/** A key that breaks off. */
const broken = new RegExp(
  String.raw`(?:[ \t\r\n+]|\\[nr]){0,40}[A-Za-z0-9+/=]{40,}(?:[A-Za-z0-9+/=]|[\r\n]+[ \t+]{0,40}|\\[nr]){0,${mostBody}}`,
  'y',
);

export const findPrivateKeys = (text: string): Finding[] => {
  const found: Finding[] = [];
  if (!text.includes('-----BEGIN ')) return found;
  for (const { 0: head, index } of text.matchAll(begin)) {
    for (const pattern of [body, broken]) {
      pattern.lastIndex = index + head.length;
      const rest = pattern.exec(text)?.[0].trimEnd();
      if (rest === undefined) continue;
      found.push({ start: index, end: index + head.length + rest.length, rule: 'privatekey' });
      break;
    }
  }
  return found;
};

/** Where a key begins in `text`, on lines of its own, whose end has not come yet; undefined where none does. */
export const openKeyStart = (text: string): number | undefined => {
  if (!text.includes('-----BEGIN ')) return undefined;
  const last = [...text.matchAll(begin)].at(-1);
  if (last === undefined || text.length - last.index > mostBody) return undefined;
  const rest = text.slice(last.index + last[0].length);
  return /^[ \t\r]*(?:\n|$)/.test(rest) && !rest.includes('-----END ') ? last.index : undefined;
};
