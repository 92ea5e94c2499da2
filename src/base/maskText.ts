// Masks secrets in a text that is at hand as a whole.
import { findSecrets, maskFor } from './secrets.ts';

/** Text without any of these words holds nothing that the rules find. */
const possible = /bearer|sk-|passw|secret|token/i;

/**
 * Masks what our own rules find in a piece of text as it passes: for streams, which cannot wait for the slower rules of
 * `maskBytes`. Line ends inside a secret are kept. A secret that comes in two pieces is not seen.
 */
export const maskText = (text: string): string => {
  if (!possible.test(text)) return text;
  let masked = '';
  let at = 0;
  for (const { start, end, rule } of findSecrets(text).toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    masked += text.slice(at, start) + maskFor(text.slice(start, end), rule, end - start);
    at = end;
  }
  return masked + text.slice(at);
};
