import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { audience } from '#base/audience.ts';
import { LoomError } from '#base/errors.ts';
import { silentLog } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import { verifyAudit } from '#mcp/audit/verify.ts';
import { openLoom, serviceWith, type TestClient, type TestLoom } from '../fixtures.ts';

let loom: TestLoom;
let core: TestClient;
let audit: string;
beforeAll(async () => {
  loom = openLoom();
  audit = join(loom.drawer, 'audit');
  core = await loom.connect('core', { auditFolder: audit });
  const text = Array.from({ length: 3_000 }, (_, n) => `${n} INFO request ${n * 7919} took ${n % 97} ms`).join('\n');
  writeFileSync(join(loom.workspace, 'app.log'), text);
  await core.ask('ctx_store_file', { path: 'app.log' });
});
afterAll(() => loom.close());

type Drawer = Services['drawer'];
type Kernel = Services['kernel'];
const drawerWith = (methods: Partial<Drawer>): Pick<Services, 'drawer'> => ({
  drawer: serviceWith(loom.services.drawer, methods),
});
const kernelWith = (methods: Partial<Kernel>): Pick<Services, 'kernel'> => ({
  kernel: serviceWith(loom.services.kernel, methods),
});

const fact = '2718 INFO request 21523842';

test.each<[string, unknown]>([
  ['as it should be', { op: 'ctx_check', arguments: { facts: [fact] } }],
  ['arguments as JSON', { op: 'ctx_check', arguments: JSON.stringify({ facts: [fact] }) }],
  ['everything as JSON', JSON.stringify({ op: 'ctx_check', arguments: { facts: [fact] } })],
  ['arguments beside op', { op: 'ctx_check', facts: [fact] }],
  ['the name as a client shows it', { op: 'mcp_loom_ctx_check', arguments: { facts: fact } }],
])('loom_op runs an unlisted tool: %s', async (_, args) => {
  const answer = await core.ask('loom_op', typeof args === 'string' ? { args } : args);
  expect(answer).toBe(
    `1 fact: 0 in an anchor, 1 retrievable, 0 absent\n${JSON.stringify(fact)}: retrievable: d1 line 2719`,
  );
});

test('loom_op_write runs what changes something; ledger and audit name the tool that did the work', async () => {
  expect(await core.ask('loom_op_write', { op: 'ctx_profile', arguments: {} })).toMatch(/^The profile is strict/);
  const { tools } = await loom.services.ledger.report({ life: true });
  const names = tools.map(({ tool }) => tool);
  expect(names).toEqual(expect.arrayContaining(['ctx_check', 'ctx_profile']));
  expect(names).not.toContain('loom_op');
  const audited = (): string =>
    readdirSync(audit)
      .map((file) => readFileSync(join(audit, file), 'utf8'))
      .join('');
  // It is appended behind the answers, a line with its end.
  await vi.waitFor(() => expect(audited()).toMatch(/"ctx_profile".*\n/), 30_000);
  const lines = audited().trimEnd().split('\n');
  const calls = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(calls.find(({ tool }) => tool === 'ctx_profile')).toMatchObject({
    client: 'test',
    through: 'loom_op_write',
    effect: 'write',
    outcome: 'done',
  });
  expect(calls.find(({ tool }) => tool === 'ctx_store_file')).toMatchObject({ ids: ['d1'] });
  expect(lines.join('\n')).not.toContain('21523842');
  expect((await verifyAudit(audit)).faults).toEqual([]);
});

test('an idempotency key replays the first answer, and nothing is done or moved twice', async () => {
  writeFileSync(join(loom.workspace, 'twice.log'), 'x1y2 z3\n'.repeat(4_000));
  const call = { path: 'twice.log', _idempotency_key: 'once' };
  const first = await core.ask('ctx_store_file', call);
  const { moved } = await loom.services.ledger.report({ life: true });
  writeFileSync(join(loom.workspace, 'twice.log'), 'something else\n'.repeat(4_000));
  expect(await core.ask('ctx_store_file', call)).toBe(first);
  const after = await loom.services.ledger.report({ life: true });
  expect(after.moved).toEqual(moved);
  expect(after.calls).toBeGreaterThan(0);
  expect(await core.ask('ctx_store_file', { ...call, path: 'app.log' })).toMatch(/^Error KEY_REUSED \(input/);
  const routed = { op: 'ctx_check', arguments: { facts: ['x'], idempotency_key: 7 } };
  expect(await core.ask('loom_op', routed)).toBe(await core.ask('loom_op', routed));
});

test('a client that calls too often is told for how long to wait', async () => {
  const hasty = await loom.connect('core', { rate: { rpm: 1, burst: 1 }, schemaProfile: 'full' });
  await hasty.ask('ctx_search', { query: 'request' });
  const { content, structuredContent, isError } = await hasty.call('ctx_serach', {});
  expect(isError).toBe(true);
  expect(content[0]?.text).toMatch(/^Error RATE_LIMITED \(limit, may be retried\): .*retry_after_s: 60\./);
  expect(structuredContent).toMatchObject({
    code: 'RATE_LIMITED',
    category: 'limit',
    retryable: true,
    retry_after_s: 60,
  });
});

test('the deadline ends the call and says how far it was; progress and the end reach the work', async () => {
  const stopped = Promise.withResolvers<string>();
  const verify: Drawer['verify'] = (_, call) => {
    call?.progress?.(0.25, '10 documents of 40 verified');
    call?.signal?.addEventListener('abort', () => stopped.resolve('stopped'));
    return new Promise(() => undefined);
  };
  const brief = await loom.connect('core', { deadline: 200, services: drawerWith({ verify }) });
  expect(await brief.ask('loom_op', { op: 'ctx_verify' })).toBe(
    'Error DEADLINE (limit, may be retried): The call took longer than 0.2 s and was stopped. Until then: 10 documents of 40 verified. Call again, or ask for less: what was stored is there, and is not stored twice.',
  );
  expect(await stopped.promise).toBe('stopped');

  const cancelled = Promise.withResolvers<string>();
  const slow = await loom.connect('core', {
    services: drawerWith({
      verify: (_, call) => {
        call?.progress?.(0.5, 'half');
        call?.signal?.addEventListener('abort', () => cancelled.resolve('cancelled'));
        return new Promise(() => undefined);
      },
    }),
  });
  const abort = new AbortController();
  const shares: number[] = [];
  const call = slow.call(
    'loom_op',
    { op: 'ctx_verify' },
    {
      signal: abort.signal,
      onprogress: ({ progress }) => {
        shares.push(progress);
        abort.abort('enough');
      },
    },
  );
  await expect(call).rejects.toThrow('enough');
  expect([await cancelled.promise, shares]).toEqual(['cancelled', [0.5]]);
});

test('a fault of ours tells a request id and no more, and the client gets it in its log', async () => {
  const fail: Drawer['search'] = async () => {
    throw new Error('secret detail of /home/somebody');
  };
  const faulty = await loom.connect('core', { services: drawerWith({ search: fail }), log: silentLog });
  const told: unknown[] = [];
  faulty.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void told.push(params));
  await faulty.client.setLoggingLevel('error');
  const answer = await faulty.ask('ctx_search', { query: 'x' });
  expect(answer).toMatch(
    /^Error INTERNAL \(internal, do not retry unchanged\): a fault in Loom, request [0-9a-f-]{36}\. /,
  );
  expect(answer).not.toContain('secret');
  expect(told).toMatchObject([
    { level: 'error', logger: 'loom', data: expect.stringMatching(/^request [0-9a-f-]{36} failed$/) as string },
  ]);
});

test('the full profile answers in structures too, the others in text alone', async () => {
  const full = await loom.connect('core', { schemaProfile: 'full' });
  const { tools } = await full.client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  const text = await full.call('ctx_get', { id: 'd1', lines: '1' });
  expect(text.structuredContent).toEqual({ text: text.content[0]?.text });
  expect(tools.find(({ name }) => name === 'ctx_search')?.outputSchema).toMatchObject({ type: 'object' });
  const found = await full.call('ctx_search', { query: '21523842' });
  expect(found.structuredContent).toMatchObject({ matched: 'all', passages: [{ doc: 'd1', hits: [2719] }], more: 0 });
  const all = await loom.connect('all', { schemaProfile: 'full' });
  await all.client.listTools();
  expect((await all.call('ctx_check', { facts: [fact] })).structuredContent).toEqual({
    facts: [{ fact, where: 'retrievable', places: [{ doc: 'd1', title: 'app.log', lines: [2719, 2719] }] }],
  });
  const refused = await full.call('ctx_search', { qurey: 'x' });
  expect(refused.structuredContent).toEqual({
    code: 'INVALID_ARGUMENTS',
    category: 'input',
    retryable: false,
    tool: 'ctx_search',
    errors: ['query: required'],
    required: ['query'],
    optional: ['regex', 'doc', 'limit', 'cursor'],
    unknown: { qurey: 'query' },
    example: { query: 'x' },
  });
  for (const answer of [await core.call('ctx_search', { query: '21523842' }), await core.call('ctx_search', {})])
    expect(answer.structuredContent).toBeUndefined();
});

test('prompt, resource and loom_activate are the same primer, for this listing', async () => {
  const { messages } = await core.client.getPrompt({ name: 'loom' });
  const { contents } = await core.client.readResource({ uri: 'loom://primer' });
  const primer = await core.ask('loom_op', { op: 'loom_activate' });
  expect(messages[0]?.content).toEqual({ type: 'text', text: primer });
  expect(contents).toEqual([{ uri: 'loom://primer', mimeType: 'text/plain', text: primer }]);
  expect(primer).toContain('\nd1 app.log: log, ');
  expect(primer).toContain(
    '\n- documents and Python outputs at once: loom_op {"op":"loom_search","arguments":{"query":"…"}}\n',
  );
  const reading = await loom.connect('readonly');
  const other = await reading.ask('loom_activate');
  expect(other).toContain('\n- documents and Python outputs at once: loom_search {"query":"…"}\n');
  expect(other).not.toContain('run_python');
  await expect(core.client.getPrompt({ name: 'other' })).rejects.toThrow('There is one prompt: loom.');
  await expect(core.client.readResource({ uri: 'loom://other' })).rejects.toThrow('There is one resource');
});

test('loom_search asks drawer and Python; a part that fails is named, and the other still answers', async () => {
  const searchHistory: Kernel['searchHistory'] = async () => ({
    lines: [{ execution: 3, line: 12, text: 'request 21523842 again' }],
    more: 2,
    searched: [1, 7],
  });
  const both = await loom.connect('core', { services: kernelWith({ searchHistory }) });
  const answer = await both.ask('loom_op', { op: 'loom_search', arguments: { query: 'request 21523842' } });
  expect(answer).toMatch(/^Drawer: 1 passage of \d+ documents?\nd1 app\.log\n\d+[>|]/);
  expect(answer).toContain(
    '\n\nPython: 1 line in In [1] to In [7]\nIn [3] line 12: request 21523842 again\n2 more: loom_op {"op":"search_python_output","arguments":{"execution":3,',
  );
  const gone: Kernel['searchHistory'] = async () => {
    throw new LoomError('ENGINE_GONE', "Loom's worker ended. Call again.");
  };
  const half = await loom.connect('all', { services: kernelWith({ searchHistory: gone }) });
  expect(await half.ask('loom_search', { query: '21523842' })).toMatch(
    /^Drawer: 1 passage .*\n\nPython: not searched \(ENGINE_GONE: Loom's worker ended\. Call again\.\)\.$/s,
  );
});

test('trust that is given shows at once in the listing of a connection, and the client is told', async () => {
  let trusted = false;
  const changes = audience<void>();
  const connection = await loom.connect('core', { trusted: () => trusted, onListingChange: changes.add });
  const told = Promise.withResolvers<void>();
  connection.client.setNotificationHandler(ToolListChangedNotificationSchema, () => told.resolve());
  const names = async (): Promise<string[]> => (await connection.client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual([
    'ctx_get',
    'ctx_search',
    'ctx_store',
    'ctx_store_file',
    'loom_op',
    'read_python_output',
  ]);
  for (const [tool, args] of [
    ['run_python', { code: '1' }],
    ['loom_op', { op: 'interrupt_python' }],
    ['loom_op_write', { op: 'interrupt_python' }],
    ['interrupt_python', {}],
  ] as const)
    expect(await connection.ask(tool, args)).toMatch(/^Error UNTRUSTED_WORKSPACE /);
  trusted = true;
  changes.tell();
  await told.promise;
  expect(await names()).toHaveLength(10);
  expect(await connection.ask('interrupt_python')).toMatch(/^idle/);
});

test('what is no call of a tool stays an error of the protocol', async () => {
  await expect(core.client.request({ method: 'server/discover' } as never, {} as never)).rejects.toMatchObject({
    code: -32_601,
  });
  await core.client.ping();
});
