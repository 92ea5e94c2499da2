// Secrets for tests: invented here, made of pieces, the same at each run.
const alphabets = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  alnum: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base64: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/',
};

let state = 20_261_201;

/** Characters that nobody chose. */
export const invent = (length: number, alphabet: keyof typeof alphabets = 'alnum'): string => {
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabets[alphabet][Math.floor((state / 2 ** 32) * alphabets[alphabet].length)];
  }
  return text;
};

/** A UUID that nobody chose. */
export const inventUuid = (): string => [8, 4, 4, 4, 12].map((length) => invent(length, 'hex')).join('-');

/** A private key as a file holds it: `lines` of 64 characters. */
export const inventKey = (name: string, lines: number, end = '\n'): string => {
  const body = Array.from({ length: lines }, () => invent(64, 'base64'));
  return [`-----BEGIN ${name}-----`, ...body, `-----END ${name}-----`].join(end);
};

/** Texts with one secret, which stands between « and »; and texts without any. */
export type Samples = { secrets: readonly string[]; harmless: readonly string[] };
