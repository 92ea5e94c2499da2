import { expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { allWordsMatcher, literalMatcher, matchLines, type LineMatcher } from '#text/matchLines.ts';
import { compilePattern, withFlags, type PatternFlags } from '#text/pattern.ts';

const runs = [
  { first: 1, text: 'Error: disk full\nok\nerror error' },
  { first: 40, text: 'nothing here' },
  { first: 51, text: 'a.b\n\nERROR\t9' },
];

const pattern = (source: string, flags?: PatternFlags): LineMatcher => {
  const compiled = compilePattern(source, flags);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
};

test.each<[string, LineMatcher, number[], number]>([
  ['a literal, in its case', literalMatcher('error', false), [3], 2],
  ['a literal, in any case', literalMatcher('error', true), [1, 3, 53], 4],
  ['a literal is no pattern', literalMatcher('.', false), [51], 1],
  ['an empty literal: every line', literalMatcher('', false), [1, 2, 3, 40, 51, 52, 53], 7],
  ['a literal over a line end: no line', literalMatcher('full\nok', false), [], 0],
  ['all words, in any case and order', allWordsMatcher('FULL  err'), [1], 1],
  ['no word: no line', allWordsMatcher(' '), [], 0],
  ['a pattern, each match', pattern('[eE]rror'), [1, 3], 3],
  ['a pattern in any case', pattern('error', { ignoreCase: true }), [1, 3, 53], 4],
  ['a pattern that says so itself', pattern('(?i)error'), [1, 3, 53], 4],
  ['ends of a line', pattern('^error|9$'), [3, 53], 2],
  ['ends of a text are those of a line', pattern(String.raw`\Aerror|\d\z`), [3, 53], 2],
  ['as Python writes them', pattern(String.raw`(?P<digit>\d)\Z`), [53], 1],
  ['a backslash before a Z is none of them', pattern(String.raw`\\Z`), [], 0],
  ['a line without anything', pattern('^$'), [52], 1],
])('%s', (_, matcher, lines, matches) => {
  expect(atOnce(matchLines(runs, matcher))).toEqual({ lines, matches });
});

test('work comes between the lines of a long run', () => {
  const work = matchLines([{ first: 1, text: 'x\n'.repeat(2_000) }], literalMatcher('x', false));
  let steps = 0;
  for (const _ of work) steps++;
  expect(steps).toBeGreaterThan(5);
});

test.each([
  ['(?<=a)b', /invalid|unsupported/],
  ['(', /missing/],
  ['x'.repeat(1_001), /more than 1000 characters/],
])('%s is no pattern, and why', (source, why) => {
  expect(compilePattern(source)).toMatch(why);
});

test.each([
  ['/fail \\d+/i', { source: 'fail \\d+', flags: { ignoreCase: true, dotAll: false } }],
  ['/a.b/s', { source: 'a.b', flags: { ignoreCase: false, dotAll: true } }],
  ['/usr/lib', { source: '/usr/lib', flags: { ignoreCase: false, dotAll: false } }],
])('flags as in code: %s', (written, read) => {
  expect(withFlags(written)).toEqual(read);
});

test('what backtracks without end elsewhere does not here', () => {
  const found = atOnce(matchLines([{ first: 1, text: `${'a'.repeat(20_000)}!` }], pattern('^(a+)+$')));
  expect(found).toEqual({ lines: [], matches: 0 });
});
