// Messages as clients send them, byte for byte, over both doors: each is answered, and in words.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileOf } from '#host/programs.ts';
import type { HttpHost } from '#mcp/http/windowHost.ts';
import { openLoom, remove, scratch, sources, type TestLoom } from '../fixtures.ts';

type Message = { id?: unknown; result?: unknown; error?: { code: number; message: string } };
/** One end of a door: sends a text as it is, and hands over what is answered to it. */
type Wire = { send: (text: string) => Promise<Message[]>; close: () => Promise<void> };

const request = (id: unknown, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const call = (id: unknown, name: unknown, args?: unknown): string =>
  request(id, 'tools/call', { name, arguments: args });

const initialize = request(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

const openStdio = async (): Promise<Wire> => {
  const [workspace, drawer] = [scratch(), scratch()];
  const env = { ...process.env, LOOM_DB: drawer, LOOM_LOG_LEVEL: 'ERROR', LOOM_MCP_TOOLSET: 'all' };
  const program: ChildProcessWithoutNullStreams = spawn(process.execPath, [fileOf(sources, 'cli'), 'mcp'], {
    cwd: workspace,
    env,
  });
  program.stderr.resume();
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const send = async (text: string): Promise<Message[]> => {
    program.stdin.write(`${text}\n`);
    const line = await lines.next();
    return line.done === true ? [] : [JSON.parse(line.value) as Message];
  };
  await send(initialize);
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => program.once('close', resolve));
    program.stdin.end();
    await ended;
    remove(workspace, drawer);
  };
  return { send, close };
};

const openHttp = async (): Promise<Wire> => {
  const loom: TestLoom = openLoom();
  const { url, headers }: HttpHost = await loom.host('all');
  let session = '';
  const send = async (text: string): Promise<Message[]> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== '' && { 'mcp-session-id': session }),
      },
      body: text,
    });
    session = response.headers.get('mcp-session-id') ?? session;
    const body = await response.text();
    if (response.headers.get('content-type')?.includes('event-stream') !== true)
      return body === '' ? [] : [JSON.parse(body) as Message];
    const events = body.split('\n').filter((line) => line.startsWith('data: {'));
    return events.map((line) => JSON.parse(line.slice('data: '.length)) as Message);
  };
  await send(initialize);
  return { send, close: loom.close };
};

const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

type Row = [what: string, sent: string, id: unknown, told: number | RegExp];

const rows: Row[] = [
  ['arguments null', call('t1', 'ctx_vector_stats', null), 't1', /Semantic index/],
  ['arguments null of what stops something', call('t2', 'interrupt_python', null), 't2', /idle: no cell is running/],
  ['arguments []', call('t3', 'interrupt_python', []), 't3', /idle: no cell is running/],
  ['arguments {}', call('t4', 'ctx_vector_stats', {}), 't4', /Semantic index/],
  ['arguments as JSON', call('t5', 'ctx_store', '{"text":"hi"}'), 't5', /"hi"/],
  ['arguments of a router as JSON', call('t6', 'loom_op', '{"op":"ctx_vector_stats"}'), 't6', /Semantic index/],
  ['blank arguments', call('t7', 'ctx_vector_stats', ''), 't7', /Semantic index/],
  ['arguments that are a text', call('t8', 'ctx_store', 'hi'), 't8', /Error INVALID_ARGUMENTS .*no whole JSON object/],
  ['arguments that are a list', call('t9', 'ctx_store', ['hi']), 't9', /Error INVALID_ARGUMENTS /],
  ['arguments that are a number', call('t10', 'ctx_search', 7), 't10', /Error INVALID_ARGUMENTS /],
  [
    'arguments 10,000 deep',
    `{"jsonrpc":"2.0","id":"t11","method":"tools/call","params":{"name":"ctx_store","arguments":{"text":${deep}}}}`,
    't11',
    /Error INVALID_ARGUMENTS .*64 levels/,
  ],
  ['arguments 10,000 deep, as JSON', call('t12', 'ctx_store', `{"text":${deep}}`), 't12', /Error INVALID_ARGUMENTS /],
  [
    'null within params',
    '{"jsonrpc":"2.0","id":"t13","method":"tools/list","params":{"cursor":null,"_meta":null}}',
    't13',
    /"tools":\[/,
  ],
  ['no name', request('n1', 'tools/call', {}), 'n1', -32602],
  ['a name that is none', call('n2', 5), 'n2', -32602],
  ['params null', '{"jsonrpc":"2.0","id":"p1","method":"tools/list","params":null}', 'p1', /"tools":\[/],
  ['params []', request('p2', 'tools/list', []), 'p2', /"tools":\[/],
  ['params that are a text', request('p3', 'tools/list', 'all'), 'p3', -32602],
  ['params that are a list', request('p4', 'tools/call', ['ctx_get']), 'p4', -32602],
  ['no params where some are needed', request('p5', 'tools/call'), 'p5', -32602],
  ['a resource that is none', request('p6', 'resources/read', { uri: 7 }), 'p6', -32602],
  ['a level that is none', request('p7', 'logging/setLevel', { level: 'loud' }), 'p7', -32602],
  ['an unknown method', request('m1', 'tools/fetch', {}), 'm1', -32601],
  ['a batch of one', `[${request('b1', 'ping')}]`, 'b1', /"result":\{\}/],
  ['a batch of none', '[]', null, -32600],
  ['a batch of what is none', '[7]', null, -32600],
  ['an id that is null', request(null, 'ping'), null, -32600],
  ['an id that is no integer', request(1.5, 'ping'), 1.5, -32600],
  ['an id beyond what is exact', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null, -32600],
  ['an id that is an object', request({}, 'ping'), null, -32600],
  ['another version', '{"jsonrpc":"1.0","id":"v1","method":"ping"}', 'v1', -32600],
  ['no version', '{"id":"v2","method":"ping"}', 'v2', -32600],
  ['no method', '{"jsonrpc":"2.0","id":"v3"}', 'v3', -32600],
  ['a method that is none', request('v4', { a: 1 } as never), 'v4', -32600],
  ['a text', '"hello"', null, -32600],
  ['JSON that is cut', '{"jsonrpc":"2.0","id":7,"method":', null, -32700],
  ['no JSON', 'GET / HTTP/1.1', null, -32700],
];

const opened: Record<string, () => Promise<Wire>> = { stdio: openStdio, http: openHttp };

describe.each(Object.keys(opened))('over %s', (door) => {
  let wire: Wire;
  beforeAll(async () => {
    wire = await (opened[door] as () => Promise<Wire>)();
  });
  afterAll(() => wire.close());

  test.each(rows)('%s is answered', async (_, sent, id, told) => {
    const [message, ...more] = await wire.send(sent);
    expect(more).toEqual([]);
    expect(message?.id).toBe(id);
    if (typeof told !== 'number') return expect(JSON.stringify(message)).toMatch(told);
    expect(message?.error?.code).toBe(told);
    // In words: no dump of what validated it.
    return expect(message?.error?.message).toMatch(/^[^[{\n]*$/);
  });
});
