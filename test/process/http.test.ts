import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lineLog } from '#base/log.ts';
import type { Served } from '#mcp/http/serve.ts';
import { fuzz } from '../clients/fuzz.ts';
import { abandon, load } from '../clients/load.ts';
import { bundles, openLoom, remove, scratch, type TestLoom } from '../fixtures.ts';

const token = 'never-in-any-answer-0123456789';
const headers = { authorization: `Bearer ${token}` };
const logged: string[] = [];
let folder: string;
let loom: TestLoom;
let served: Served;

beforeAll(async () => {
  folder = scratch();
  const log = lineLog((line) => logged.push(line), 'WARN');
  loom = openLoom({ programs: bundles, workspace: folder, drawer: join(folder, 'drawer'), log });
  served = await loom.serve({ authMode: 'required', token });
});
afterAll(async () => {
  await loom.close();
  remove(folder);
});

const accept = 'application/json, text/event-stream';

const post = async (url: string, sent: Record<string, string>, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { 'content-type': 'application/json', accept, ...sent };
  const answer = await fetch(url, { method: 'POST', headers: all, body: text });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'ctx_health', arguments: {} } };

test('discovery_only: what Loom can do is told to all, what the drawer holds to those with the token', async () => {
  const probe = { path: '/probe', handle: async (_: unknown, response: ServerResponse) => void response.end('in') };
  const open = await loom.serve({ authMode: 'discovery_only', token, routes: [probe] });
  const at = open.url.replace('/mcp', '/probe');
  expect(await post(at, {}, ping)).toMatchObject({ status: 401 });
  expect(await post(at, headers, ping)).toMatchObject({ status: 200, text: 'in' });
  expect(await post(open.url.replace('/mcp', '/nothing'), {}, ping)).toMatchObject({ status: 401 });
  const session = { 'mcp-session-id': await abandon({ url: open.url, headers: {} }) };
  expect((await post(open.url, session, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).text).toContain('ctx_health');
  expect((await post(open.url, session, ping)).status).toBe(200);
  for (const body of [call, [ping, call], { ...call, method: 'resources/read' }]) {
    const refused = await post(open.url, session, body);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="loom"']);
  }
  expect((await post(open.url, { ...session, ...headers }, call)).text).toContain('drawer: open');
  open.dispose();
});

test('discovery_only: whoever has no token writes nothing, and goes on with nobody’s session', async () => {
  const empty = openLoom();
  const open = await empty.serve({ authMode: 'discovery_only', token });
  const stranger = { 'mcp-session-id': await abandon({ url: open.url, headers: {} }) };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await post(open.url, stranger, list)).text).toContain('ctx_search');
  const own = { 'mcp-session-id': await abandon({ url: open.url, headers }) };
  expect((await post(open.url, own, list)).status).toBe(404);
  expect((await fetch(open.url, { method: 'DELETE', headers: own })).status).toBe(404);
  // Each writes in the order in which it was asked: the listing with the token is there, the stranger's is not.
  expect((await post(open.url, { ...own, ...headers }, list)).text).toContain('ctx_search');
  await vi.waitFor(async () => {
    const page = await empty.services.ledger.entries({ life: true, offset: 0, limit: 10 });
    expect(page.rows.map(({ kind }) => kind)).toEqual(['listing']);
  }, 30_000);
  expect(await empty.services.drawer.sessions({})).toHaveLength(1);
  open.dispose();
  await empty.close();
});

test('limits: 64 messages, 4 MiB, the revisions that are served', async () => {
  const session = { ...headers, 'mcp-session-id': await abandon({ url: served.url, headers }) };
  const batch = (n: number) => Array.from({ length: n }, (_, id) => ({ ...ping, id }));
  const whole = await post(served.url, session, batch(64));
  expect(whole.text.match(/"result":\{\}/g)).toHaveLength(64);
  for (const n of [0, 65])
    expect(await post(served.url, session, batch(n))).toMatchObject({
      status: 400,
      text: expect.stringContaining('-32600') as string,
    });
  expect((await post(served.url, session, ' '.repeat(4 * 2 ** 20 + 1))).status).toBe(413);
  expect((await post(served.url, session, '{')).text).toContain('-32700');
  for (const [version, status] of [
    ['2025-11-25', 200],
    ['2024-11-05', 200],
    ['2199-01-01', 400],
  ] as const)
    expect((await post(served.url, { ...session, 'mcp-protocol-version': version }, ping)).status).toBe(status);
});

test('5,000 malformed requests (npm run bench load sends 20,000): each is answered, in our words, and the next one too', async () => {
  const session = await abandon({ url: served.url, headers });
  const statuses = new Map<number, number>();
  const bad: string[] = [];
  await fuzz({ host: '127.0.0.1', port: served.port, token, session }, 1, 5_000, ({ status, headers: sent, text }) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const said = JSON.stringify(sent) + text;
    if (status === 500 || said.includes(token) || /\n\s+at |node_modules|\.[cm]?[jt]s:\d/.test(said)) bad.push(said);
  });
  expect(bad.slice(0, 3)).toEqual([]);
  // Every way out was taken: work done, each refusal, and bytes that are no HTTP.
  for (const status of [200, 202, 400, 401, 403, 404, 405, 406, 415])
    expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(0);
  expect(logged.filter((line) => line.includes(token) || / ERROR /.test(line)).slice(0, 3)).toEqual([]);
  expect(served.sessions()).toBeLessThanOrEqual(256);
  expect((await load({ url: served.url, headers }, 1, 3)).answered).toBe(3);
});

test('50 clients at once: no call is lost, and none gets another’s answer', async () => {
  const { answered, lost } = await load({ url: served.url, headers }, 50, 10);
  expect(lost.slice(0, 3)).toEqual([]);
  expect(answered).toBe(500);
});

test('sessions that are opened and left are bounded: the oldest go', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 400; n += 20)
    ids.push(...(await Promise.all(Array.from({ length: 20 }, () => abandon({ url: served.url, headers })))));
  expect(new Set(ids).size).toBe(400);
  expect(served.sessions()).toBeLessThanOrEqual(256);
  const alive = async (id = ''): Promise<number> =>
    (await post(served.url, { ...headers, 'mcp-session-id': id }, ping)).status;
  expect([await alive(ids[0]), await alive(ids.at(-1))]).toEqual([404, 200]);
});
