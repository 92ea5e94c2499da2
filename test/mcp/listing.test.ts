import { describe, expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { countTokens } from '#ledger/tokens.ts';
import { instructions } from '#mcp/instructions.ts';
import { listingVersion, listTools } from '#mcp/listing.ts';
import { listingTexts } from '#mcp/prompt.ts';
import { toolNamedOrThrow, toolsetNamed } from '#mcp/registry.ts';
import { tools } from '#mcp/tools/index.ts';

const tokens = (text: string): number => atOnce(countTokens(text)).tokens;

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };

/** Every schema within a schema, with its path. */
const within = (schema: Schema, path: string): [string, Schema][] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => within(inner, `${path}.${name}`)),
  ...(schema.items ? within(schema.items, `${path}[]`) : []),
];

describe.each(listTools('all'))('$name', ({ name, description, inputSchema }) => {
  test('has a name that VS Code does not cut', () => expect(name).toMatch(/^[a-z0-9_]{1,40}$/));
  test('says when to use it, and when not, in under 1,024 characters', () => {
    expect(description).toMatch(/^Use /);
    expect(description).toMatch(/\bNot /i);
    expect(description.length).toBeLessThan(1_024);
  });
  test('has a schema that every client takes', () => {
    expect(inputSchema.type).toBe('object');
    for (const word of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs'])
      expect(JSON.stringify(inputSchema)).not.toContain(`"${word}"`);
    for (const [path, schema] of within(inputSchema, name)) {
      if (schema['type'] === 'array') expect(schema.items, `${path} has items`).toBeDefined();
      if (/\.\w+$/.test(path)) expect(schema['description'], `${path} is described`).toEqual(expect.any(String));
    }
  });
});

test('the registry is sorted and each example is valid', () => {
  const names = tools.map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  for (const { input, example } of tools) expect(input.safeParse(example).success).toBe(true);
});

test('the core listing stays within 10 tools and 1,500 tokens, the instructions within 100', () => {
  const core = listTools('core');
  expect(core.map(({ name }) => name)).toEqual([
    'ctx_get',
    'ctx_search',
    'ctx_store',
    'ctx_store_file',
    'interrupt_python',
    'read_python_output',
    'reset_python',
    'run_python',
  ]);
  expect(core.length).toBeLessThanOrEqual(10);
  const [schemas = '', words = ''] = listingTexts('core', 'vscode');
  expect(tokens(schemas) + tokens(words)).toBeLessThanOrEqual(1_500);
  expect(tokens(instructions)).toBeLessThanOrEqual(100);
});

test('the version changes with the listing', () => {
  expect(listingVersion('1.0.0', 'core')).not.toBe(listingVersion('1.0.0', 'all'));
  expect(listingVersion('1.0.0', 'core')).toBe(listingVersion('1.0.0', 'core'));
});

test('what is not listed answers by name, also with the prefix that a client shows', () => {
  expect(toolNamedOrThrow('ctx_health', 'core').name).toBe('ctx_health');
  expect(toolNamedOrThrow('mcp_loom_ctx_get', 'core').name).toBe('ctx_get');
  expect(() => toolNamedOrThrow('ctx_serach', 'core')).toThrow('Did you mean ctx_search?');
});

test.each([
  ['drawer', 'drawer'],
  ['ALL', 'all'],
  ['no such', 'core'],
  [undefined, 'core'],
])('toolset %s is %s', (name, expected) => expect(toolsetNamed(name)).toBe(expected));
