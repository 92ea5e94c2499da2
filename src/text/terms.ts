// How text becomes words, for the drawer's index and for queries alike.
import { stemmer } from 'stemmer';

/*
 * SQLite's unicode61 makes the words of the index's first column: runs of letters and digits, lower case, without
 * diacritics. It knows no stems, no parts of camelCase words, and takes a whole Chinese sentence for one word; what it
 * lacks stands in the second column. A change here changes what stands in existing indexes: it needs a migration that
 * rebuilds them.
 */

export type Word = {
  /** Folded: lower case, without diacritics. */
  text: string;
  /** Where it begins, in UTF-16 units. */
  at: number;
};

const asciiWord = /[a-z0-9]+/gi;
const anyWord = /[\p{L}\p{N}\p{M}]+/gu;
// Without the `u` flag, which makes a long look several times slower; surrogates lie in the range.
const beyondAscii = /[\u0080-\uffff]/;
const cjkRun = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]+/gu;

const foldCharacter = (character: string): string => {
  const folded = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.length === character.length ? folded : character;
};

/** `text` in lower case and without diacritics, every character where it was. */
export const fold = (text: string): string =>
  beyondAscii.test(text)
    ? text.replace(/[A-Z]+/g, (run) => run.toLowerCase()).replace(/[^\p{ASCII}]/gu, foldCharacter)
    : text.toLowerCase();

/** The words of `folded`, as unicode61 makes them. */
export const wordsOf = (folded: string): Word[] =>
  Array.from(folded.matchAll(beyondAscii.test(folded) ? anyWord : asciiWord), (match) => ({
    text: match[0],
    at: match.index,
  }));

const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/** Whether the character at `at` of `folded` belongs to a word. */
export const isWordAt = (folded: string, at: number): boolean => {
  const code = folded.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  // The second half of a pair belongs to where the first does.
  const start = code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  return wordCharacter.test(String.fromCodePoint(folded.codePointAt(start) ?? 0));
};

/** Where the word around `at` begins and ends. */
export const wordStart = (folded: string, at: number): number => {
  let start = at;
  while (start > 0 && isWordAt(folded, start - 1)) start--;
  return start;
};
export const wordEnd = (folded: string, at: number): number => {
  let end = at;
  while (end < folded.length && isWordAt(folded, end)) end++;
  return end;
};

const stemmed = /^[a-z]{3,30}$/;
const stems = new Map<string, string>();

/** The stem of a folded English word; any other word as it is. */
export const stemOf = (word: string): string => {
  if (!stemmed.test(word)) return word;
  let stem = stems.get(word);
  if (stem === undefined) {
    if (stems.size > 20_000) stems.clear();
    stem = stemmer(word);
    stems.set(word, stem);
  }
  return stem;
};

/** `HttpRequest2` as http, request2; nothing where the word has one part. `word` in its own case. */
export const partsOf = (word: string): string[] => {
  const parts = word.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{N}\p{M}]+/gu) ?? [];
  return parts.length > 1 && parts.length <= 12 ? parts.map(fold) : [];
};

/** The runs of Chinese, Japanese and Korean characters, which are written without spaces or with endings attached. */
export const cjkRunsOf = (text: string): string[] => text.match(cjkRun) ?? [];

/** `数据库abc` as 数据库, abc. */
export const scriptRunsOf = (word: string): string[] => {
  const runs: string[] = [];
  let end = 0;
  for (const { 0: run, index } of word.matchAll(cjkRun)) {
    runs.push(word.slice(end, index), run);
    end = index + run.length;
  }
  return [...runs, word.slice(end)].filter(Boolean);
};

/** 数据库 as 数据, 据库, 库: its neighbours in pairs and its last character, so that a prefix finds each single one. */
export const bigramsOf = (run: string): string[] => {
  const characters = Array.from(run);
  return characters.map((character, i) => character + (characters[i + 1] ?? ''));
};

const termsByWord = new Map<string, string>();
const asciiCandidate = /[A-Za-z][A-Za-z0-9]{2,39}/g;

const findTerms = (word: string): string => {
  const parts = partsOf(word);
  if (parts.length > 0) return parts.join(' ');
  const folded = word.toLowerCase();
  const stem = stemOf(folded);
  return stem === folded ? '' : stem;
};

/** What else an ASCII word can be found by: its parts, or its stem. Most texts repeat their words, but not their ids. */
const termsOf = (word: string): string => {
  if (/\d/.test(word)) return /[a-z][A-Z]/.test(word) ? findTerms(word) : '';
  let terms = termsByWord.get(word);
  if (terms === undefined) {
    if (termsByWord.size > 20_000) termsByWord.clear();
    terms = findTerms(word);
    termsByWord.set(word, terms);
  }
  return terms;
};

/** What else `text` can be found by: parts and stems of its words, bigrams of its CJK runs. Each run of terms once. */
export const searchTerms = (text: string): string => {
  const runs = new Set<string>();
  for (const word of text.match(asciiCandidate) ?? []) runs.add(termsOf(word));
  if (beyondAscii.test(text)) {
    for (const run of cjkRunsOf(text)) runs.add(bigramsOf(run).join(' '));
    // `数据库abc` is one word to unicode61; what touches a run is a word of its own here.
    for (const [word] of text.matchAll(anyWord)) {
      const scripts = scriptRunsOf(word);
      if (scripts.length > 1) for (const part of scripts) if (cjkRunsOf(part).length === 0) runs.add(fold(part));
    }
  }
  runs.delete('');
  return Array.from(runs).join('\n');
};
