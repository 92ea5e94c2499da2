import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { instructions } from '#mcp/listing/instructions.ts';
import { tools } from '#assemble.ts';
import { toolNamed } from '#mcp/listing/listing.ts';
import { chatFiles } from '#vscode/chatFiles.ts';

const root = join(import.meta.dirname, '../..');
const names = tools.map(({ name }) => name);
const texts = [
  ['the instructions', instructions],
  ...Object.values(chatFiles).map(({ path }) => [path, readFileSync(join(root, path), 'utf8')]),
] as [string, string][];

describe.each(texts)('%s', (_, text) => {
  test('names tools that there are', () => {
    const named = text.match(/\b(?:ctx_\w+|\w+_python\w*)/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(names).toContain(name);
  });

  test('shows calls that are valid', () => {
    for (const [, name = '', args = ''] of text.matchAll(/`(\w+) (\{.*?\})`/g))
      expect(toolNamed({ tools }, name)?.input.safeParse(JSON.parse(args)).success, `${name} ${args}`).toBe(true);
  });
});

// VS Code 1.139 cut a file's text at the wrong place after such a header.
test('the headers are ASCII', () => {
  for (const { header } of Object.values(chatFiles)) expect(JSON.stringify(header)).toMatch(/^[ -~]+$/);
});
