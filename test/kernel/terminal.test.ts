import { describe, expect, test } from 'vitest';
import { Output } from '#kernel/output/output.ts';

const shown = (chunks: readonly string[]): string[] => {
  const output = new Output(1, 1_000_000);
  for (const text of chunks) output.add({ kind: 'stdout', text });
  return [...output.stream('stdout').lines()].map(([, line]) => line);
};

describe('what a person would see', () => {
  test.each([
    ['plain lines', ['a\nb\nc'], ['a', 'b', 'c']],
    ['an empty last line is none', ['a\n'], ['a']],
    ['empty lines', ['\n\na\n'], ['', '', 'a']],
    ['a progress bar by CR', Array.from({ length: 100 }, (_, n) => `\r${n}%`), ['99%']],
    ['CR LF', ['a\r\nb\r\n'], ['a', 'b']],
    ['a shorter text over a longer one', ['12345\rab'], ['ab345']],
    ['erase to the end', ['12345\rab\x1b[K'], ['ab']],
    ['erase the line and go up', ['one\ntwo\n\x1b[1A\x1b[2KTWO\n'], ['one', 'TWO']],
    [
      'two bars, as tqdm draws them',
      ['a 0%\n', 'b 0%\x1b[A', '\ra 9%\n', '\rb 9%\x1b[A', '\ra ok\n\n'],
      ['a ok', 'b 9%'],
    ],
    ['go up further than there are lines', ['a\n\x1b[99AX'], ['X']],
    ['backspace', ['abc\b\bX'], ['aXc']],
    ['colours', ['\x1b[1;31mred\x1b[0m \x9b32mgreen'], ['red green']],
    ['a colour cut in two by chunks', ['a\x1b', '[3', '1mb'], ['ab']],
    ['a title, ended by BEL or ST', ['\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b'], ['ab']],
    ['a title cut in two', ['\x1b]0;ti', 'tle\x1b', '\\a'], ['a']],
    ['a device control string', ['\x1bPabc\x1b\\x'], ['x']],
    ['other controls', ['a\0\x07b\x0bc\x7fd\x85e'], ['abcde']],
    ['tabs stay', ['a\tb'], ['a\tb']],
    ['an escape that begins nothing', ['a\x1b'], ['a']],
    ['U+2028 ends no line', ['a\u2028b'], ['a\u2028b']],
    ['emoji cut in two by chunks', ['\ud83d', '\ude00'], ['😀']],
  ])('%s', (_, chunks, lines) => expect(shown(chunks)).toEqual(lines));

  test('what is cut at any place gives the same lines', () => {
    const text = 'a\x1b[31mb\x1b]0;t\x1b\\\n\r\x1b[Kc\x1bPq\x1b\\d\x9b1me\nf\x1b[1Ag';
    const whole = shown([text]);
    for (let at = 1; at < text.length; at++) expect(shown([text.slice(0, at), text.slice(at)])).toEqual(whole);
  });
});

describe('streams', () => {
  const output = new Output(7, 1_000_000);
  output.add({ kind: 'stdout', text: 'o1\nabc' });
  output.add({ kind: 'result', data: { 'text/plain': "'z'" }, metadata: {} });
  output.add({ kind: 'stderr', text: 'e1\n' });
  output.add({ kind: 'display', data: { 'text/plain': '<Figure>', 'image/png': 'AAAA' }, metadata: {}, id: 'd' });
  output.add({ kind: 'update', data: { 'text/plain': 'done' }, metadata: {}, id: 'd' });
  output.add({ kind: 'error', ename: 'E', evalue: 'x', traceback: ['Traceback', '\x1b[31mE: x\x1b[0m'] });
  output.add({ kind: 'end' });
  const lines = (name: Parameters<Output['stream']>[0]): string[] =>
    [...output.stream(name).lines()].map(([, line]) => line);
  test.each([
    ['stdout', ['o1', 'abc']],
    ['stderr', ['e1']],
    ['result', ["'z'", '<Figure>', '[display 2: image/png, 3 bytes]', '[display 2, updated] done']],
    ['traceback', ['Traceback', 'E: x']],
    // A result begins a line of its own: glued to what was printed before, it would be a false line.
    [
      'combined',
      [
        'o1',
        'abc',
        "Out[7]: 'z'",
        'e1',
        '<Figure>',
        '[display 2: image/png, 3 bytes]',
        'Traceback',
        'E: x',
        '[display 2, updated] done',
      ],
    ],
  ] as const)('%s', (name, expected) => expect(lines(name)).toEqual(expected));
});
