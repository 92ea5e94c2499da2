import { expect, test } from 'vitest';
import { onLinesOfTheirOwn } from '#mcp/call/splitParts.ts';
import { answerTexts, listingTexts } from '#mcp/listing/prompt.ts';
import { listingFor } from '../fixtures.ts';

const text = (...parts: string[]) => parts.map((part) => ({ type: 'text' as const, text: part }));

// As VS Code 1.139.1 was seen to do it.
test.each([
  [['one'], 'one'],
  [['one', 'two'], 'onetwo'],
  [['one\n', 'two\n'], 'one\ntwo'],
  [['  one\n\n', '', ' two '], 'one\n\n two'],
  [[], ''],
])('VS Code makes one text of %j', (parts, expected) => {
  expect(answerTexts({ content: text(...parts) }, 'vscode')).toEqual([expected]);
});

test('structured content takes the place of the text in VS Code; another client passes on the parts', () => {
  const result = { content: text('one\n', 'two'), structuredContent: { n: 1 } };
  expect(answerTexts(result, 'vscode')).toEqual(['{"n":1}']);
  expect(answerTexts(result, 'other')).toEqual(['one\n', 'two']);
});

test('a listing as VS Code sends it, and as another client is taken to', () => {
  const [tools = '', words = ''] = listingTexts(listingFor('core'), 'vscode');
  expect(tools).toMatch(/^\[\{"type":"function","function":\{"name":"mcp_loom_ctx_get","description":"Use /);
  expect(words).toMatch(/^<instruction forToolsWithPrefix="mcp_loom">\nLoom keeps [^<]+\n<\/instruction>\n$/);
  const [plain = '', same = ''] = listingTexts(listingFor('core'), 'other');
  expect(plain).toMatch(/^\[\{"name":"ctx_get","description":"Use /);
  expect(words).toContain(same);
});

test('so that no two run together, each part but the last ends with a line end', () => {
  expect(onLinesOfTheirOwn(['one', 'two\n', '', 'three'])).toEqual(['one\n', 'two\n', '', 'three']);
});
