// Masks secrets in a text that is at hand as a whole.
import { findSecrets } from './secrets/find.ts';
import { maskFor, type Finding } from './secrets/mask.ts';

const bytesOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4);

/** One secret in a text: where it stands there, its rule, and its length in bytes. */
export type FindingInText = Finding & { length: number };

/** The secrets in `text`: the same as those in its bytes. */
export const findInText = (text: string): FindingInText[] => {
  // oxlint-disable-next-line no-control-regex
  const ascii = !/[^\x00-\x7f]/.test(text);
  const found = findSecrets(ascii ? text : Buffer.from(text).toString('latin1'));
  let unit = 0;
  let byte = 0;
  const unitAt = (wanted: number): number => {
    while (byte < wanted) {
      const code = text.codePointAt(unit) ?? 0;
      byte += bytesOf(code);
      unit += code < 0x1_0000 ? 1 : 2;
    }
    return unit;
  };
  return found.map(({ start, end, rule }) => ({
    ...(ascii ? { start, end } : { start: unitAt(start), end: unitAt(end) }),
    rule,
    length: end - start,
  }));
};

/** Masks the secrets in `text` as `maskBytes` does in its bytes. */
export const maskText = (text: string): string => {
  let masked = '';
  let at = 0;
  for (const { start, end, rule, length } of findInText(text)) {
    masked += text.slice(at, start) + maskFor(text.slice(start, end), rule, length);
    at = end;
  }
  return masked + text.slice(at);
};
