// The words of a query, and where they stand in a text.
import {
  bigramsOf,
  cjkRunsOf,
  fold,
  isWordAt,
  partsOf,
  scriptRunsOf,
  stemOf,
  wordEnd,
  wordsOf,
  wordStart,
} from './terms.ts';

/** One word of a query: what stands between white space. It is data; nothing in it is syntax. */
export type QueryWord = {
  /** As written, folded. */
  literal: string;
  /** `literal` without the signs around it, for a look inside other words: `conn*` is found in `connection`. */
  core: string;
  /** As written, without the signs around it. */
  written: string;
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

const withoutSigns = (word: string): string => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

const parseWord = (written: string): QueryWord => {
  const literal = fold(written);
  const found = wordsOf(literal);
  const tokens = found.map(({ text }) => text);
  const [only] = found.length === 1 ? found : [];
  const stem = only && stemOf(only.text);
  const core = withoutSigns(literal);
  const word = {
    literal,
    core: core.length > 1 ? core : literal,
    written: withoutSigns(written) || written,
    tokens,
    stem: stem === only?.text ? undefined : stem,
    parts: only ? partsOf(written.slice(only.at, only.at + only.text.length)) : [],
    pieces: cjkRunsOf(literal).length > 0 ? tokens.flatMap(scriptRunsOf) : [],
  };
  return { ...word, expression: expressionOf(word) };
};

/** Words of grammar: they stand in every text and say nothing of what is looked for. */
const functionWords = new Set(
  (
    'a an the of to in on at by for with from into and or is are was were be been being it its this that these those ' +
    'what which who whom whose when where why how do does did has have had as than then there'
  ).split(' '),
);

/** The distinct words of what a user or a model wrote; those of grammar only where there is no other. */
export const parseQuery = (query: string): QueryWord[] => {
  const words = new Map(
    query
      .slice(0, mostUnits)
      .split(/\s+/)
      .filter(Boolean)
      .map((written) => [fold(written), written]),
  );
  const telling = Array.from(words.keys()).filter((folded) => !functionWords.has(folded));
  const chosen = telling.length > 0 ? telling : Array.from(words.keys());
  return chosen.slice(0, mostWords).map((folded) => parseWord(words.get(folded) ?? folded));
};

/** Those, and what a question says of who asks it. */
const idleWords = new Set([...functionWords, ...'i me my we our you your if can could please'.split(' ')]);

/**
 * What a text is compared by where there is no index: the stems of its words and of the parts of its camelCase words, each
 * once, in its order. Words that say nothing only where there is no other. A word that begins with a term answers it.
 */
export const terms = (text: string): string[] => {
  const words = wordsOf(fold(text));
  const telling = words.filter((word) => !idleWords.has(word.text));
  const found = (telling.length > 0 ? telling : words).flatMap((word) =>
    [word.text, ...partsOf(text.slice(word.at, word.at + word.text.length))].map(stemOf),
  );
  return Array.from(new Set(found));
};

/** A text that words are looked for in. */
export type Searched = { text: string; folded: string };
export const prepareText = (text: string): Searched => ({ text, folded: fold(text) });

/** Each place where `needle` stands, without overlaps. */
function* placesOf(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) yield at;
}

/** Whether `inside` holds `tokens` in a row. */
const holdsRun = (inside: readonly string[], tokens: readonly string[]): boolean =>
  inside.some((_, at) => tokens.every((token, i) => inside[at + i] === token));

/** Whether the words of `folded` from `at` on are `tokens`. */
const startsPhrase = (folded: string, at: number, tokens: readonly string[]): boolean => {
  let from = at;
  for (const token of tokens) {
    while (from < folded.length && !isWordAt(folded, from)) from++;
    const end = wordEnd(folded, from);
    if (end - from !== token.length || !folded.startsWith(token, from)) return false;
    from = end;
  }
  return true;
};

/** Where `word` stands in a text, in UTF-16 units: by the same rules that the index finds it by. */
export const findWord = ({ text, folded }: Searched, word: QueryWord): number[] => {
  if (word.expression === undefined) return Array.from(placesOf(folded, word.literal));
  if (word.pieces.length > 0) {
    const found = word.pieces.map((piece) => Array.from(placesOf(folded, piece)));
    return found.every((each) => each.length > 0) ? found.flat().sort((a, b) => a - b) : [];
  }
  const wanted = word.parts.length > 0 ? word.parts : word.tokens;
  const root = word.stem ?? word.tokens[0];
  const holds = (from: number, to: number): boolean => {
    if (startsPhrase(folded, from, word.tokens)) return true;
    if (word.parts.length > 0 && startsPhrase(folded, from, word.parts)) return true;
    if (word.tokens.length === 1 && stemOf(folded.slice(from, to)) === root) return true;
    const written = text.slice(from, to);
    return /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(written) && holdsRun(partsOf(written), wanted);
  };
  // Only words that hold a needle can be it: most of a text is never cut into words at all.
  const found = new Set<number>();
  for (const needle of needlesOf(word)) {
    let end = 0;
    for (const at of placesOf(folded, needle)) {
      if (at < end) continue;
      const from = wordStart(folded, at);
      end = wordEnd(folded, at);
      if (holds(from, end)) found.add(from);
    }
  }
  return Array.from(found).sort((a, b) => a - b);
};

/** Whether what stands at `at` is `word` as it was written, and a whole word. */
export const isAsWritten = ({ text, folded }: Searched, { written }: QueryWord, at: number): boolean =>
  text.startsWith(written, at) && !isWordAt(folded, at + written.length);

/** Where `word` stands as it was written, or inside another word. */
export const findLiteral = ({ folded }: Searched, word: QueryWord): number[] => Array.from(placesOf(folded, word.core));

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
  // `happy` and `happiness` share the stem `happi`, `hope` and `hoping` the stem `hope`: in neither of them whole.
  const start = word.tokens.length === 1 ? commonStart(first, stemOf(first)).replace(/[iye]$/, '') || first : first;
  return word.parts.length > 0 ? [start, ...word.parts.slice(0, 1)] : [start];
};

/** How words are looked for: as an index finds them, or letter by letter, also inside another word. */
export type Manner = 'words' | 'literal';

/** How each manner finds a word, and the strings of which a text must hold one for that. */
export const finders = {
  words: { needles: needlesOf, find: findWord },
  literal: { needles: (word: QueryWord): string[] => [word.core], find: findLiteral },
};
