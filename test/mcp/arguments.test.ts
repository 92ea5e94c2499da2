import { describe, expect, test } from 'vitest';
import { LoomError } from '#base/errors.ts';
import { parseArguments } from '#mcp/call/arguments.ts';
import type { Tool } from '#mcp/defineTool.ts';
import { toolNamed } from '#mcp/listing/listing.ts';
import { tools } from '#assemble.ts';

const parse = (tool: string, args: unknown): unknown => parseArguments(toolNamed({ tools }, tool) as Tool, args).args;

const refusal = (tool: string, args: unknown): string => {
  try {
    parse(tool, args);
  } catch (error) {
    expect(error).toBeInstanceOf(LoomError);
    const slip = /did you mean/.test((error as LoomError).message) && !tool.endsWith('get') && !tool.endsWith('search');
    expect((error as LoomError).code).toBe(slip ? 'UNKNOWN_ARGUMENT' : 'INVALID_ARGUMENTS');
    return (error as LoomError).message;
  }
  throw new Error('accepted');
};

describe('what can only be meant in one way is accepted', () => {
  test.each([
    ['as it should be', 'ctx_get', { id: 'd7' }, { id: 'd7' }],
    ['a number for an id', 'ctx_get', { id: 7 }, { id: '7' }],
    ['numbers for ids', 'ctx_get', { ids: [7, '8'] }, { ids: ['7', '8'] }],
    ['one id for a list', 'ctx_get', { ids: 'd7' }, { ids: ['d7'] }],
    ['a list as JSON in a string', 'ctx_get', { ids: '["d7","d8"]' }, { ids: ['d7', 'd8'] }],
    ['a number as a string', 'ctx_search', { query: 'x', limit: '3' }, { query: 'x', limit: 3 }],
    ['a number as the query', 'ctx_search', { query: 404 }, { query: '404' }],
    ['true as a string', 'ctx_store', { text: 'x', keep: 'true' }, { text: 'x', keep: true }],
    ['everything as JSON in a string', 'ctx_get', '{"id":"d7"}', { id: 'd7' }],
    ['wrapped in args, as JSON', 'ctx_get', { args: '{"id":1}' }, { id: '1' }],
    ['wrapped in arguments', 'ctx_search', { arguments: { query: 'x' } }, { query: 'x' }],
    ['nothing where nothing is needed', 'ctx_health', undefined, {}],
    ['a default', 'ctx_stats', {}, { scope: 'session' }],
  ])('%s', (_, tool, args, expected) => expect(parse(tool, args)).toEqual(expected));
});

describe('a refusal says what was wrong and shows a right call', () => {
  test.each([
    ['a near-miss key', 'ctx_store_file', { file: 'a.log', path: 'b.log' }, 'unknown "file"'],
    ['a longer name of a key', 'ctx_get', { identifier: 'd7' }, 'did you mean "id"?'],
    ['a misspelt key', 'ctx_search', { qurey: 'x' }, 'unknown "qurey": did you mean "query"?'],
    ['a missing argument', 'ctx_search', {}, 'query: required'],
    ['neither of two', 'ctx_get', {}, 'id: id or ids is required'],
    ['a word for a number', 'ctx_search', { query: 'x', limit: 'many' }, 'limit: '],
    ['out of range', 'ctx_search', { query: 'x', limit: 0 }, 'limit: '],
    ['not one of the values', 'ctx_get', { id: 'd7', encoding: 'hex' }, 'encoding: '],
    ['an object for a string', 'ctx_store', { text: { a: 1 } }, 'text: '],
    ['no object at all', 'ctx_store', 'hello', 'text: required'],
  ])('%s', (_, tool, args, fault) => {
    const words = refusal(tool, args);
    expect(words).toContain(fault);
    expect(words).toMatch(/^ctx_\w+: invalid arguments; nothing was done\.\n/);
    expect(words).toMatch(/\nrequired: .*\noptional: .*\nexample: ctx_\w+ \{.*\}$/);
  });
});
