import { describe, expect, test } from 'vitest';
import { parseDirectives } from '#kernel/directives.ts';

const none = { wait: undefined, fullOutput: false };
const wait = (seconds: number) => ({ ...none, wait: seconds * 1_000 });
const full = { ...none, fullOutput: true };

describe('the older spelling: what is not exactly one is a comment', () => {
  test.each([
    ['nothing', '', none],
    ['seconds', '# loommux: timeout_seconds=120', wait(120)],
    ['a fraction', '# loommux: timeout_seconds=0.5', wait(0.5)],
    ['zero', '# loommux: timeout_seconds=0', none],
    ['a leading zero', '# loommux: timeout_seconds=01', none],
    ['0.0', '# loommux: timeout_seconds=0.0', none],
    ['an exponent', '# loommux: timeout_seconds=1e3', none],
    ['spaces', '# loommux: timeout_seconds = 3', none],
    ['two of them', '# loommux: timeout_seconds=3\n# loommux: timeout_seconds=4', none],
    ['one right and one not', '# loommux: timeout_seconds=3\n# loommux: timeout_seconds=0.0', wait(3)],
    ['the marker', 'x = 1\n# loommux: full_output\ny', full],
    ['the marker twice', '# loommux: full_output\n# loommux: full_output', full],
    ['the marker after a space', ' # loommux: full_output', none],
    ['the marker before a space', '# loommux: full_output ', none],
    ['the marker with a value', '# loommux: full_output=yes', none],
    ['the marker in capitals', '# loommux: FULL_OUTPUT', none],
    ['the marker in a string', '"""\n# loommux: full_output\n"""', full],
    ['after a line end of Python only', 'x\f# loommux: full_output', full],
    ['another word', '# loommux: something', none],
  ])('%s', (_, code, expected) => expect(parseDirectives(code)).toEqual(expected));
});

describe('the newer spelling', () => {
  test.each([
    ['a wait', '# loommux: --wait 30', wait(30)],
    ['full output', 'print(1)\n# loommux: --full-output', full],
    ['both on one line', '# loommux: --wait 2.5 --full-output', { wait: 2_500, fullOutput: true }],
    ['both on two lines', '# loommux: --full-output\n# loommux: --wait 2', { wait: 2_000, fullOutput: true }],
    ['in a string', 'x = """\n# loommux: --wait x\n"""', none],
    ['in a raw string with quotes', "x = r'''\\'\n# loommux: --bad\n'''", none],
    ['after a string that ended', "x = '#'\n# loommux: --wait 4", wait(4)],
    ['after an apostrophe in a comment', "# don't\n# loommux: --wait 4", wait(4)],
    ['after an escaped quote', "x = 'a\\''\n# loommux: --wait 4", wait(4)],
    ['in the body of a magic', "%%bash\necho don't\n# loommux: --wait 4", wait(4)],
  ])('%s', (_, code, expected) => expect(parseDirectives(code)).toEqual(expected));

  test.each([
    ['an unknown one', '# loommux: --fast'],
    ['no seconds', '# loommux: --wait'],
    ['zero seconds', '# loommux: --wait 0'],
    ['words for seconds', '# loommux: --wait ten'],
    ['two spaces', '# loommux: --wait  3'],
    ['twice', '# loommux: --wait 3\n# loommux: --wait 3'],
    ['full output twice', '# loommux: --full-output --full-output'],
    ['seconds beyond all numbers', `# loommux: --wait 1${'0'.repeat(400)}`],
    ['mixed with the older one', '# loommux: --full-output full_output'],
  ])('%s is refused', (_, code) => expect(() => parseDirectives(code)).toThrow(/Nothing was run/));
});
