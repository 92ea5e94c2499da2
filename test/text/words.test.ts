import { expect, test } from 'vitest';
import { nearWords } from '#text/nearWords.ts';
import { phraseLines, phrasePattern } from '#text/phrase.ts';
import { terms } from '#text/query.ts';
import { rankByFields } from '#text/rank.ts';

test.each([
  ['searches searching search', ['search']],
  ['How do I read the output of parseHttpRequest?', ['read', 'output', 'parsehttprequest', 'pars', 'http', 'request']],
  ['ctx_store_file', ['ctx', 'store', 'file']],
  ['what is it', ['what', 'is', 'it']],
  ['Ærø größe', ['ærø', 'große']],
  ['', []],
])('terms of %j', (text, expected) => {
  expect(terms(text)).toEqual(expected);
});

const tools = [
  { name: 'ctx_get', words: 'Returns exact bytes of what was stored.' },
  { name: 'ctx_store', words: 'Moves text into the drawer.' },
  { name: 'ctx_store_file', words: 'Reads files and moves them into the drawer.' },
];
const fields = ({ name, words }: (typeof tools)[number]) => [
  { text: name, worth: 4 },
  { text: words, worth: 1 },
];
const found = (query: string) => rankByFields(tools, query, fields).map(({ item, score }) => [item.name, score]);

test('items by the fields that hold a query: best first, equals in their order', () => {
  expect(found('storing files')).toEqual([
    ['ctx_store_file', 8],
    ['ctx_store', 4],
    ['ctx_get', 1],
  ]);
  expect(found('drawer')).toEqual([
    ['ctx_store', 1],
    ['ctx_store_file', 1],
  ]);
  expect(found('python')).toEqual([]);
});

test('near words, the nearest first', () => {
  const known = ['tool', 'cell', 'call', 'hall'];
  expect(nearWords('cal', known)).toEqual(['call', 'cell', 'hall']);
  expect(nearWords('cal', known, 1)).toEqual(['call']);
  expect(nearWords('cell', known, 0)).toEqual(['cell']);
  expect(nearWords('python', known)).toEqual([]);
});

test.each([
  ['Deploy at 9', [[10, 11]]],
  ['DEPLOY   at\n9', [[10, 11]]],
  ['(x)', [[12, 12]]],
  ['deploy at 99', []],
])('lines of the phrase %j', (phrase, lines) => {
  const pattern = phrasePattern(phrase) ?? /$^/;
  expect(phraseLines('we deploy at\n 9 sharp\nf(x)', pattern, 10)).toEqual(lines);
});

test('a phrase without a word is none', () => {
  expect(phrasePattern(' \n')).toBeUndefined();
});
