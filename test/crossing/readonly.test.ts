// `readonly` is a ceiling: of the one who starts the server, and of whoever holds the token that only reads.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '#assemble.ts';
import type { Served } from '#mcp/http/serve.ts';
import { clientOver, openLoom, type TestClient, type TestLoom } from '../fixtures.ts';

const [token, readonlyToken] = ['t'.repeat(32), 'r'.repeat(32)];
const harmless = tools.filter(({ effect }) => effect === 'read' || effect === 'keep').map(({ name }) => name);

let loom: TestLoom;
beforeAll(() => {
  loom = openLoom({ interpreter: { backend: 'plain' } });
});
afterAll(() => loom.close());

const connect = (served: Served, held: string, query: string): Promise<TestClient> =>
  clientOver(
    new StreamableHTTPClientTransport(new URL(`${served.url}?${query}`), {
      requestInit: { headers: { authorization: `Bearer ${held}` } },
    }),
  );

const onlyReads = async (client: TestClient): Promise<void> => {
  const { tools: listed } = await client.client.listTools();
  for (const { name } of listed) expect(harmless).toContain(name);
  for (const [tool, args] of [
    ['run_python', { code: 'open("ran", "w")' }],
    ['mcp_loom_run_python', { code: '1' }],
    ['loom_op', { op: 'run_python', arguments: { code: '1' } }],
    ['loom_op_write', { op: 'ctx_profile', arguments: { profile: 'strict' } }],
    ['ctx_purge_session', { confirm: true }],
    ['ctx_profile', { profile: 'strict' }],
    ['reset_python', {}],
  ] as const)
    expect(await client.ask(tool, args), tool).toMatch(/^Error (NOT_LISTED|NOT_ROUTED|UNKNOWN_TOOL) /);
  expect(await client.ask('ctx_store', { text: 'kept' })).toBe('kept');
};

const queries = ['toolset=all', 'toolset=kernel', 'toolset=drawer+kernel', 'toolset=core', '', 'toolset=nothing'];

describe('LOOM_MCP_TOOLSET=readonly: the URL narrows and never widens', () => {
  let served: Served;
  beforeAll(async () => {
    served = await loom.serve({ authMode: 'required', token, toolset: () => 'readonly' });
  });
  test.each(queries)('?%s', async (query) => onlyReads(await connect(served, token, query)));
});

describe('LOOM_TOKEN_READONLY: its holder only reads, and nobody else is held back', () => {
  let served: Served;
  beforeAll(async () => {
    served = await loom.serve({ authMode: 'required', token, readonlyToken, toolset: () => 'all' });
  });
  test.each(queries)('?%s', async (query) => onlyReads(await connect(served, readonlyToken, query)));
  test('the other token', async () => {
    const { client } = await connect(served, token, 'toolset=all');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  });
  test('a connection that another token began is not taken over', async () => {
    const { client } = await connect(served, token, 'toolset=all');
    const { sessionId = '' } = client.transport ?? {};
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ctx_health', arguments: {} } };
    const answer = await fetch(served.url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${readonlyToken}`,
        'mcp-session-id': sessionId,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
    expect(answer.status).toBe(404);
  });
});
