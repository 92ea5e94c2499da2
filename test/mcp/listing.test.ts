import { describe, expect, test } from 'vitest';
import { atOnce } from '#base/slices.ts';
import { countTokens } from '#ledger/tokenizer/tokens.ts';
import { rosters, tools } from '#assemble.ts';
import { instructions } from '#mcp/listing/instructions.ts';
import { instructionsFor, listingVersion, listTools } from '#mcp/listing/render.ts';
import { listingTexts } from '#mcp/listing/prompt.ts';
import { toolsetNamed, toolsetNames } from '#mcp/listing/toolsets.ts';
import { schemaProfileNamed, schemaProfileNames, type Listing } from '#mcp/listing/listing.ts';
import { listingFor } from '../fixtures.ts';

const tokens = (text: string): number => atOnce(countTokens(text)).tokens;
/** Each text by itself: they stand apart in the prompt. */
const paidFor = (on: Listing): number => listingTexts(on, 'vscode').reduce((sum, text) => sum + tokens(text), 0);
const names = (toolset: string, more?: Parameters<typeof listingFor>[1]): string[] =>
  listTools(listingFor(toolset, more)).map(({ name }) => name);

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };

/** Every schema within a schema, with its path. */
const within = (schema: Schema, path: string): [string, Schema][] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => within(inner, `${path}.${name}`)),
  ...(schema.items ? within(schema.items, `${path}[]`) : []),
];

const faults = (schema: Schema, name: string, described: boolean): string[] => {
  const words = ['anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'prefixItems'];
  return [
    ...(schema['type'] === 'object' ? [] : [`${name} is no object`]),
    ...words.filter((word) => JSON.stringify(schema).includes(`"${word}"`)).map((word) => `${name} has ${word}`),
    ...within(schema, name).flatMap(([path, { type, items, description }]) => [
      ...(type === 'array' && items === undefined ? [`${path} has no items`] : []),
      ...(described && /\.\w+$/.test(path) && typeof description !== 'string' ? [`${path} is not described`] : []),
    ]),
  ];
};

const joined = ['core+kernel', 'core+ledger', 'drawer+kernel+ledger'] as const;
const all = [...toolsetNames(rosters), ...joined];
const listings = all.flatMap((toolset) =>
  schemaProfileNames.flatMap((schemaProfile) =>
    [true, false].map((trusted) => ({
      toolset,
      schemaProfile,
      trusted,
      on: listingFor(toolset, { schemaProfile, trusted }),
    })),
  ),
);

test.each(listings)('$toolset, $schemaProfile, trusted $trusted: every client takes it', ({ on, schemaProfile }) => {
  const listing = listTools(on);
  expect(listing.length).toBeGreaterThan(1);
  const found = listing.flatMap(({ name, description, inputSchema, outputSchema }) => [
    ...(/^[a-z0-9_]{1,40}$/.test(name) && `mcp_loom_${name}`.length <= 64 ? [] : [`${name} would be cut`]),
    ...(description.length < 1_024 ? [] : [`${name}: ${description.length} characters`]),
    ...(/^(Use|As loom_op)/.test(description) ? [] : [`${name} does not say when to use it`]),
    ...(/\bNot /i.test(description) ? [] : [`${name} does not say when not`]),
    ...faults(inputSchema, name, schemaProfile !== 'compact'),
    ...(outputSchema ? faults(outputSchema, `${name} answer`, true) : []),
  ]);
  expect(found).toEqual([]);
  expect(instructionsFor(on).length).toBeLessThan(2_048);
});

test('the registry is sorted and each example is valid', () => {
  const sorted = tools.map(({ name }) => name);
  expect(sorted).toEqual([...sorted].sort());
  for (const { input, example } of tools) expect(input.safeParse(example).success).toBe(true);
});

test('the core listing is 10 tools within 1,500 tokens, the instructions between 60 and 100', () => {
  expect(names('core')).toEqual([
    'ctx_get',
    'ctx_search',
    'ctx_store',
    'ctx_store_file',
    'interrupt_python',
    'loom_op',
    'loom_op_write',
    'read_python_output',
    'reset_python',
    'run_python',
  ]);
  const sizes = all.map((name) => [name, paidFor(listingFor(name))] as const);
  const profiles = schemaProfileNames.map(
    (schemaProfile) => `core ${schemaProfile} ${paidFor(listingFor('core', { schemaProfile }))}`,
  );
  console.log(
    `tokens of listings with instructions: ${sizes.map((size) => size.join(' ')).join(', ')}; ${profiles.join(', ')}`,
  );
  expect(Object.fromEntries(sizes).core).toBeLessThanOrEqual(1_500);
  expect(tokens(instructions)).toBeGreaterThanOrEqual(60);
  expect(tokens(instructions)).toBeLessThanOrEqual(100);
});

test('readonly and a workspace that is not trusted list what reads or keeps, and one router', () => {
  const harmless = tools.filter(({ effect }) => effect === 'read' || effect === 'keep').map(({ name }) => name);
  expect(names('readonly')).toEqual(harmless);
  expect(names('all', { trusted: false })).toEqual(harmless);
  for (const name of all) {
    const listing = listTools(listingFor(name, { trusted: false }));
    for (const { annotations } of listing) expect(annotations.readOnlyHint).toBe(true);
    expect(listing.map((tool) => tool.name).filter((each) => each.startsWith('loom_op'))).toEqual(['loom_op']);
  }
});

test('every roster reaches whatever reads or keeps, by name or through loom_op', () => {
  for (const { name } of rosters) expect(names(name)).toContain('loom_op');
  expect(names('all')).toEqual(tools.map(({ name }) => name));
});

test('the version changes with the toolset, the profile and the trust', () => {
  const different = [
    listingFor('core'),
    listingFor('all'),
    listingFor('core', { schemaProfile: 'full' }),
    listingFor('core', { trusted: false }),
  ];
  const versions = different.map((on) => listingVersion('1.0.0', on));
  expect(new Set(versions).size).toBe(different.length);
  expect(listingVersion('1.0.0', listingFor('core'))).toBe(versions[0]);
});

describe('what is asked for in a URL or a setting', () => {
  test.each([
    ['drawer', 'drawer'],
    ['ALL', 'all'],
    ['core+kernel', 'core+kernel'],
    ['kernel core', 'core+kernel'],
    [' ledger,core ', 'core+ledger'],
    ['core+core', 'core'],
    ['no such', 'ledger'],
    ['core+no_such', 'ledger'],
    ['core+all', 'ledger'],
    ['readonly+core', 'ledger'],
    ['relay', 'ledger'],
    ['+', 'ledger'],
    ['', 'ledger'],
    [null, 'ledger'],
    [undefined, 'ledger'],
  ])('toolset %j is %s', (name, expected) => expect(toolsetNamed(rosters, name, 'ledger')).toBe(expected));
  test.each([
    ['Full', 'full'],
    ['tiny', 'compact'],
    [null, 'compact'],
  ])('schema profile %j is %s', (name, expected) => expect(schemaProfileNamed(name, 'compact')).toBe(expected));
});
