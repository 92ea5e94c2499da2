import { bigramsOf, cjkRunsOf, fold, partsOf, scriptRunsOf, stemOf, wordsOf, type Word } from './terms.ts';

/** One word of a query: what stands between white space. It is data; nothing in it is syntax. */
export type QueryWord = {
  /** As written, folded. */
  literal: string;
  /** `literal` without the signs around it, for a look inside other words: `conn*` is found in `connection`. */
  core: string;
  /** Its words as the index has them: `10.0.0.5` has four. */
  tokens: readonly string[];
  stem: string | undefined;
  /** Parts of a camelCase word. */
  parts: readonly string[];
  /** What must all stand in the text where the word has Chinese, Japanese or Korean in it; else empty. */
  pieces: readonly string[];
  /** The expression that finds it in the index; undefined where only the text itself can tell: `C++`, `=>`. */
  expression: string | undefined;
};

/** Words beyond these are not looked for: SQLite limits how deep an expression may be. */
const mostWords = 40;
const mostUnits = 4000;

const phrase = (tokens: readonly string[]): string => `"${tokens.join(' ')}"`;

const cjkExpression = (pieces: readonly string[]): string =>
  pieces
    .map((piece) => {
      if (cjkRunsOf(piece).length === 0) return phrase([piece]);
      const pairs = bigramsOf(piece);
      return pairs.length === 1 ? `"${piece}*"` : phrase(pairs.slice(0, -1));
    })
    .join(' AND ');

const expressionOf = (word: Omit<QueryWord, 'expression'>): string | undefined => {
  if (word.pieces.length > 0) return `(${cjkExpression(word.pieces)})`;
  const letters = word.tokens.join('');
  // A single letter beside signs (`C++`, `-v`, `$x`): as a word it would match almost everything.
  if (letters.length === 0 || (letters.length === 1 && letters !== word.literal)) return undefined;
  const ways = [word.tokens, ...(word.stem ? [[word.stem]] : []), ...(word.parts.length > 0 ? [word.parts] : [])];
  return `(${ways.map(phrase).join(' OR ')})`;
};

const parseWord = (written: string): QueryWord => {
  const literal = fold(written);
  const found = wordsOf(literal);
  const tokens = found.map(({ text }) => text);
  const [only] = found.length === 1 ? found : [];
  const stem = only && stemOf(only.text);
  const core = literal.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  const word = {
    literal,
    core: core.length > 1 ? core : literal,
    tokens,
    stem: stem === only?.text ? undefined : stem,
    parts: only ? partsOf(written.slice(only.at, only.at + only.text.length)) : [],
    pieces: cjkRunsOf(literal).length > 0 ? tokens.flatMap(scriptRunsOf) : [],
  };
  return { ...word, expression: expressionOf(word) };
};

/** The distinct words of what a user or a model wrote. */
export const parseQuery = (query: string): QueryWord[] => {
  const words = new Map(
    query
      .slice(0, mostUnits)
      .split(/\s+/)
      .filter(Boolean)
      .map((written) => [fold(written), written]),
  );
  return Array.from(words.values()).slice(0, mostWords).map(parseWord);
};

/** A text that words are looked for in. */
export type Searched = { text: string; folded: string; words: readonly Word[] };
export const prepareText = (text: string): Searched => {
  const folded = fold(text);
  return { text, folded, words: wordsOf(folded) };
};

const occurrences = (text: string, needle: string): number[] => {
  const found: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) found.push(at);
  return found;
};

const startsPhrase = (words: readonly Word[], at: number, tokens: readonly string[]): boolean =>
  tokens.every((token, i) => words[at + i]?.text === token);

/** Whether `inside` holds `tokens` in a row. */
const holdsRun = (inside: readonly string[], tokens: readonly string[]): boolean =>
  inside.some((_, at) => tokens.every((token, i) => inside[at + i] === token));

/** Where `word` stands in a text, in UTF-16 units: by the same rules that the index finds it by. */
export const findWord = ({ text, folded, words }: Searched, word: QueryWord): number[] => {
  if (word.expression === undefined) return occurrences(folded, word.literal);
  if (word.pieces.length > 0) {
    const found = word.pieces.map((piece) => occurrences(folded, piece));
    return found.every((each) => each.length > 0) ? found.flat().sort((a, b) => a - b) : [];
  }
  const wanted = word.parts.length > 0 ? word.parts : word.tokens;
  const root = word.stem ?? word.tokens[0];
  const holds = (found: Word, at: number): boolean => {
    if (startsPhrase(words, at, word.tokens)) return true;
    if (word.parts.length > 0 && startsPhrase(words, at, word.parts)) return true;
    if (word.tokens.length === 1 && stemOf(found.text) === root) return true;
    const written = text.slice(found.at, found.at + found.text.length);
    return /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(written) && holdsRun(partsOf(written), wanted);
  };
  return words.filter(holds).map(({ at }) => at);
};

/** Where `word` stands as it was written, or inside another word. */
export const findLiteral = ({ folded }: Searched, word: QueryWord): number[] => occurrences(folded, word.core);

const commonStart = (a: string, b: string): string => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
};

/** Strings of which a folded text holds one if it holds the word at all: a quick look before the real one. */
export const needlesOf = (word: QueryWord): string[] => {
  if (word.expression === undefined) return [word.literal];
  if (word.pieces.length > 0) return word.pieces.slice(0, 1);
  const [first = word.literal] = word.tokens;
  // `happy` and `happiness` share the stem `happi`, which is in neither of them whole.
  const start = word.tokens.length === 1 ? commonStart(first, stemOf(first)).replace(/[iy]$/, '') || first : first;
  return word.parts.length > 0 ? [start, ...word.parts.slice(0, 1)] : [start];
};
