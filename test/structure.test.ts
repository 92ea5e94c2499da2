import { expect, test } from 'vitest';
import { faultsIn, importsOf } from '#scripts/structure.ts';

const rooms = `// The rooms.\nexport { drawer } from '#drawer/parts.ts';\nexport { ledger } from '#ledger/parts.ts';\n`;

/** What is said of `line` in `file`, in a house of two rooms. */
const said = (file: string, line: string): string[] =>
  faultsIn(
    new Map([
      ['rooms.ts', rooms],
      [file, `// A file.\n${line}\n`],
    ]),
  ).map(({ words }) => words);

test.each([
  ['drawer/a.ts', "import { x } from './b.ts';"],
  ['drawer/a.ts', "import { x } from '#base/rpc.ts';"],
  ['drawer/a.ts', "import type { X } from '#ledger/types.ts';"],
  ['drawer/tools/a.ts', "import { x } from '#mcp/defineTool.ts';"],
  ['mcp/a.ts', "import type { X } from '#drawer/types.ts';"],
  ['vscode/drawer/a.ts', "import { x } from '#drawer/anchor.ts';"],
  ['assemble.ts', "import { x } from '#drawer/anchor.ts';"],
])('%s may: %s', (file, line) => {
  expect(said(file, line)).toEqual([]);
});

test.each([
  ['drawer/a.ts', "import { x } from '#ledger/count.ts';", 'imports #ledger/count.ts: a room shows'],
  ['drawer/a.ts', "import type { X } from '#ledger/count.ts';", 'imports #ledger/count.ts: a room shows'],
  ['drawer/a.ts', "import {\n  type X,\n  y,\n} from '#ledger/types.ts';", 'imports #ledger/types.ts not as a type'],
  ['drawer/a.ts', "export { x } from '#ledger/count.ts';", 'imports #ledger/count.ts: a room shows'],
  ['drawer/a.ts', "import '#cli/verbs.ts';", 'imports #cli/verbs.ts, which lies above it'],
  ['drawer/a.ts', "import { x } from '#vscode/ui/say.ts';", 'imports #vscode/ui/say.ts, which lies above it'],
  ['drawer/a.ts', "import { x } from '#assemble.ts';", 'imports #assemble.ts, which puts the parts together'],
  ['drawer/a.ts', "import { x } from '../ledger/count.ts';", 'imports #ledger/count.ts: a room shows'],
  ['base/a.ts', "import { x } from '#mcp/trust.ts';", 'imports #mcp/trust.ts: base stands on nothing'],
  ['text/a.ts', "import { x } from '#files/read.ts';", 'imports #files/read.ts: text stands on base'],
  ['mcp/a.ts', "import { x } from '#drawer/drawer.ts';", 'imports #drawer/drawer.ts: a room shows'],
  ['drawer/a.ts', 'const x = new Proxy({}, {});', 'has a Proxy'],
])('%s may not: %s', (file, line, words) => {
  expect(said(file, line)).toEqual([expect.stringContaining(words)]);
});

test('a file that does not say what it is', () => {
  const bare = new Map([['drawer/a.ts', 'export const x = 1;\n']]);
  expect(faultsIn(bare)).toEqual([{ file: 'drawer/a.ts', words: expect.stringContaining('does not begin with') }]);
});

test('every form of an import is seen', () => {
  const source = [
    "import a from '#x/a.ts';",
    "import type { B } from '#x/b.ts';",
    "import { c,\n  d } from './c.ts';",
    "export * from '#x/d.ts';",
    "import '#x/e.ts';",
    "import { f } from 'node:fs';",
  ].join('\n');
  expect(importsOf('y/z.ts', source)).toEqual([
    { from: 'x/a.ts', typesOnly: false },
    { from: 'x/b.ts', typesOnly: true },
    { from: 'y/c.ts', typesOnly: false },
    { from: 'x/d.ts', typesOnly: false },
    { from: 'x/e.ts', typesOnly: false },
  ]);
});
