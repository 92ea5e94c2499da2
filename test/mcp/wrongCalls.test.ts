// Calls as models get them wrong, and what they read then. test/golden/refusals.txt is read by people: whoever changes it
// asks of each answer whether the next call is clear. UPDATE=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Toolset } from '#mcp/listing/toolsets.ts';
import { openLoom, type TestClient, type TestLoom } from '../fixtures.ts';

const golden = join(import.meta.dirname, '../golden/refusals.txt');

type Wrong = { what: string; tool: string; args: unknown; toolset?: Toolset; trusted?: false };

const wrong: Wrong[] = [
  { what: 'a near-miss key where nothing is changed', tool: 'ctx_get', args: { doc: 'd1', lines: '1-5' } },
  { what: 'a near-miss key where something is stored', tool: 'ctx_store', args: { text: 'x', tilte: 'log' } },
  { what: 'a key of another tool', tool: 'ctx_store_file', args: { file: 'app.log', filePath: 'app.log' } },
  { what: 'a key that means nothing here', tool: 'ctx_search', args: { query: 'x', explanation: 'because' } },
  { what: 'nothing at all', tool: 'ctx_search', args: {} },
  { what: 'an empty query', tool: 'ctx_search', args: { query: '  ' } },
  { what: 'a word for a number', tool: 'ctx_search', args: { query: 'x', limit: 'all' } },
  { what: 'a number out of range', tool: 'ctx_search', args: { query: 'x', limit: 500 } },
  { what: 'a list for a text', tool: 'ctx_search', args: { query: ['a', 'b'] } },
  { what: 'an object for a text', tool: 'ctx_store', args: { text: { level: 'info' } } },
  { what: 'half of JSON in a string', tool: 'ctx_get', args: { args: '{"id":"d1"' } },
  { what: 'a pattern that does not compile', tool: 'ctx_search', args: { query: '(open', regex: true } },
  { what: 'an id that was never given out', tool: 'ctx_get', args: { id: 'd4711' } },
  { what: 'no id at all', tool: 'ctx_get', args: { id: 'nope.log' } },
  { what: 'a chunk that there is not', tool: 'ctx_get', args: { id: 'd1.99999' } },
  { what: 'an id that was purged', tool: 'ctx_get', args: { id: 'd2' } },
  { what: 'an id of another session', tool: 'ctx_get', args: { id: 'd3' } },
  { what: 'a range in words', tool: 'ctx_get', args: { id: 'd1', lines: 'first ten' } },
  { what: 'a range beyond the end', tool: 'ctx_get', args: { id: 'd1', lines: '900000-900010' } },
  { what: 'a range from behind', tool: 'ctx_get', args: { id: 'd1', lines: '20-10' } },
  { what: 'a cursor that was made up', tool: 'ctx_get', args: { id: 'd1', cursor: 'page2' } },
  { what: 'a file that there is not', tool: 'ctx_store_file', args: { path: 'nope.log' } },
  { what: 'a file outside the workspace', tool: 'ctx_store_file', args: { path: '/etc/hostname' } },
  { what: 'a folder', tool: 'ctx_store_file', args: { path: '.' } },
  { what: 'a tool that there is not', tool: 'ctx_serach', args: { query: 'x' } },
  {
    what: 'an unlisted tool with wrong arguments',
    tool: 'loom_op',
    args: { op: 'ctx_check', arguments: { fact: 'x' } },
  },
  { what: 'an op that there is not', tool: 'loom_op', args: { op: 'python_wait', arguments: { execution: 1 } } },
  { what: 'no op', tool: 'loom_op', args: { query: 'wait' } },
  {
    what: 'a tool that writes through the router that reads',
    tool: 'loom_op',
    args: { op: 'ctx_profile', arguments: { profile: 'strict' } },
  },
  {
    what: 'a tool that reads through the router that writes',
    tool: 'loom_op_write',
    args: { op: 'ctx_check', arguments: { facts: ['x'] } },
  },
  {
    what: 'a tool that deletes through a router',
    tool: 'loom_op_write',
    args: { op: 'ctx_purge_session', arguments: { confirm: true } },
  },
  {
    what: 'a tool that runs commands through a router',
    tool: 'loom_op',
    args: { op: 'ctx_store_cmd', arguments: { command: 'ls' } },
  },
  {
    what: 'a listed tool that runs code through a router',
    tool: 'loom_op',
    args: { op: 'run_python', arguments: { code: '1' } },
  },
  {
    what: 'a router through a router',
    tool: 'loom_op',
    args: { op: 'loom_op_write', arguments: { op: 'ctx_vacuum' } },
  },
  { what: 'a tool that deletes by name, unlisted', tool: 'ctx_purge_session', args: { confirm: true } },
  { what: 'a tool that writes by name, unlisted', tool: 'ctx_profile', args: { profile: 'strict' } },
  { what: 'Python where only the drawer is listed', tool: 'run_python', args: { code: '1+1' }, toolset: 'drawer' },
  { what: 'a change where all is read-only', tool: 'ctx_vacuum', args: {}, toolset: 'readonly' },
  { what: 'a router that is not there', tool: 'loom_op_write', args: { op: 'ctx_vacuum' }, toolset: 'readonly' },
  { what: 'Python in a workspace that nobody trusted', tool: 'run_python', args: { code: '1+1' }, trusted: false },
  {
    what: 'a change in a workspace that nobody trusted',
    tool: 'loom_op_write',
    args: { op: 'ctx_vacuum' },
    trusted: false,
  },
  { what: 'a cell that there is not', tool: 'read_python_output', args: { execution: 99 } },
  { what: 'a stream that there is not', tool: 'read_python_output', args: { stream: 'log' } },
  {
    what: 'a session that there is not',
    tool: 'loom_op',
    args: { op: 'ctx_list_sessions', arguments: { session: 'mine' } },
  },
  { what: 'a transfer to oneself', tool: 'loom_op_write', args: { op: 'ctx_transfer', arguments: { ids: ['d1'] } } },
  { what: 'storing into another session', tool: 'ctx_store', args: { text: 'x', session: 'other' } },
  { what: 'commands that are switched off', tool: 'ctx_store_cmd', args: { command: 'ls' }, toolset: 'drawer' },
  { what: 'an idempotency key that is none', tool: 'ctx_store', args: { text: 'x', _idempotency_key: {} } },
];

let loom: TestLoom;
const connections = new Map<string, TestClient>();

beforeAll(async () => {
  loom = openLoom();
  const text = Array.from({ length: 2_000 }, (_, n) => `${n} INFO served request ${n * 7919}`).join('\n');
  const store = async (client: string, title: string): Promise<TestClient> => {
    const connection = await loom.connect('all', { client });
    await connection.ask('ctx_store', { text, title });
    return connection;
  };
  await store('test', 'app.log');
  const gone = await store('gone', 'old.log');
  await gone.ask('ctx_purge_session', { confirm: true });
  await store('other', 'theirs.log');
});
afterAll(() => loom.close());

const connectionOf = async ({ toolset = 'core', trusted }: Wrong): Promise<TestClient> => {
  const key = `${toolset} ${trusted}`;
  const connection = connections.get(key) ?? (await loom.connect(toolset, { trusted: () => trusted !== false }));
  connections.set(key, connection);
  return connection;
};

/** Times, random ids and places of this run are no part of what is read. */
const lasting = (text: string): string =>
  text
    .replaceAll(loom.workspace, '/workspace')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '01930000-0000-7000-8000-000000000000')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?( UTC|Z)/g, '2026-11-29 12:00 UTC');

test('each wrong call is answered with what was wrong and what to call next', async () => {
  const told: string[] = [];
  for (const each of wrong) {
    const { content, isError } = await (await connectionOf(each)).call(each.tool, each.args);
    const text = content.map((part) => part.text ?? '').join('');
    expect(isError ?? false, `${each.what}: ${text}`).toBe(text.startsWith('Error '));
    const where = [each.toolset ?? 'core', ...(each.trusted === false ? ['not trusted'] : [])].join(', ');
    told.push(`# ${each.what} (${where})\n> ${each.tool} ${JSON.stringify(each.args)}\n${lasting(text)}\n`);
  }
  const all = told.join('\n');
  if (process.env['UPDATE'] === '1') writeFileSync(golden, all);
  expect(all).toBe(readFileSync(golden, 'utf8'));
});
