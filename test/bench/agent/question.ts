/** What a person asks about one file, and what shows that an agent could answer. */
export type Question = {
  text: string;
  /** The file's name in the workspace, as the question gives it. */
  file: string;
  /** Lines, trimmed, each of which answers it: one must stand in what the model received. Never shown to a policy. */
  evidence: readonly string[];
  /** For what can only be computed: the same computation for a shell and for Python. */
  program?: Program;
  /** Known to be short from its kind (a licence, one module of source): whoever asks would simply read it. */
  short?: boolean;
};

export type Program = {
  command: string;
  python: string;
  /** The file's form is not known by heart, so whoever writes the program looks at it first. */
  peek: boolean;
};

/** What a policy may know of a question. */
export type Asked = Omit<Question, 'evidence'>;

const functionWords = new Set(
  `a all an and are as at be been by can did do does for from had has have how if in into is it its long many much no not of
  on or that the their there they this to under was were what when where which who why will with file files line lines say says`
    .trim()
    .split(/\s+/),
);

/** Code or a quotation. */
const name = /`([^`]+)`|"([^"]+)"/g;

const stem = (word: string): string =>
  word.length > 5 ? word.replace(/(?:ings?|ed|es|s)$/, '') : word.replace(/s$/, '');

/** What a question asks for: `names` as they are written, `words` in lower case, each in the question's order. */
export type Terms = { names: string[]; words: string[] };

export const termsOf = ({ text, file }: Asked): Terms => {
  const rest = text.replaceAll(file, ' ');
  const names = [...rest.matchAll(name)].map((match) => match[1] ?? match[2] ?? '');
  const words = (rest.replaceAll(name, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}.-]*[\p{L}\p{N}]/gu) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !functionWords.has(word));
  return { names, words: [...new Set(words)] };
};

/** Words without their endings, as one writes them into a pattern. */
export const stemsOf = ({ words }: Terms): string[] => [...new Set(words.map(stem))];

const holds = (line: string, term: string): boolean => line.toLowerCase().includes(term.toLowerCase());

/** How many of the terms stand in `line`; a name weighs as much as two words. */
export const score = (line: string, terms: Terms): number =>
  2 * terms.names.filter((term) => holds(line, term)).length +
  stemsOf(terms).filter((term) => holds(line, term)).length;

/** The line looks as if the answer were near: one of the names, or two in five of the words. */
export const isPromising = (line: string, terms: Terms): boolean =>
  terms.names.some((term) => holds(line, term)) || score(line, terms) >= 0.4 * stemsOf(terms).length;

/** The question is about a run as a whole; logs tell that at their end. */
export const isAboutEnd = ({ text }: Asked): boolean => /\b(?:whole|overall|in all|in total|at the end)\b/.test(text);
