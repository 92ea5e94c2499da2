import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { seeded } from '../ledger/random.ts';

export type Target = { host: string; port: number; token: string; session: string };
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

type Dice = { below: (n: number) => number; of: <T>(all: readonly T[]) => T };

const dice = (seed: number): Dice => {
  const next = seeded(seed);
  const below = (n: number): number => Math.floor(next() * n);
  return { below, of: (all) => all[below(all.length)] as (typeof all)[number] };
};

const tools = ['ctx_get', 'ctx_search', 'ctx_store', 'ctx_store_file', 'ctx_check', 'ctx_verify', 'ctx_profile'];
const methods = ['tools/call', 'tools/call', 'tools/list', 'ping', 'initialize', 'resources/read', 'prompts/get', 'x'];
const scalars = [
  null,
  true,
  -1,
  1e308,
  '',
  'd1',
  '../../etc/passwd',
  '\u0000\ud800',
  'x'.repeat(5_000),
  '9'.repeat(400),
];
const keys = [
  'id',
  'ids',
  'query',
  'text',
  'path',
  'paths',
  'lines',
  'cursor',
  '__proto__',
  'constructor',
  'toString',
  '',
];

const value = (d: Dice, depth: number): unknown => {
  const kind = depth > 3 ? 0 : d.below(4);
  if (kind < 2) return d.of(scalars);
  if (kind === 2) return Array.from({ length: d.below(4) }, () => value(d, depth + 1));
  return Object.fromEntries(Array.from({ length: d.below(4) }, () => [d.of(keys), value(d, depth + 1)]));
};

const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } };

const call = (d: Dice): unknown => ({
  jsonrpc: d.below(12) === 0 ? d.of(scalars) : '2.0',
  id: d.below(8) === 0 ? value(d, 2) : d.below(1_000_000),
  method: d.below(10) === 0 ? value(d, 3) : d.of(methods),
  params: d.below(6) === 0 ? value(d, 0) : { name: d.of(tools), arguments: value(d, 0), uri: d.of(scalars) },
});

const message = (d: Dice): unknown => (d.below(10) === 0 ? notification : call(d));

const flipped = (d: Dice, bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  for (let n = d.below(4); n >= 0; n--) copy[d.below(copy.length)] = d.below(256);
  return copy;
};

/** A body that is nearly one: mutated JSON-RPC, cut, nested without end, or no text at all. */
const body = (d: Dice): Buffer => {
  const kind = d.below(10);
  if (kind === 0) return Buffer.from(Array.from({ length: d.below(300) }, () => d.below(256)));
  if (kind === 1) return Buffer.from('['.repeat(1 + d.below(20_000)));
  if (kind === 2) return Buffer.from(JSON.stringify(Array.from({ length: d.below(70) }, () => message(d))));
  const whole = Buffer.from(JSON.stringify(message(d)));
  if (kind === 3) return whole.subarray(0, d.below(whole.length));
  if (kind === 4) return flipped(d, whole);
  return whole;
};

const headerSets = (d: Dice, { token, session }: Target): Record<string, string> => {
  const sets: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    'mcp-session-id': session,
  };
  const wrong = [
    '',
    'x',
    'x'.repeat(3_000),
    'null',
    '%00',
    '1999-01-01',
    'Bearer',
    'text/html;q=0.1',
    session.slice(1),
  ];
  for (let n = d.below(5) - 2; n > 0; n--) {
    const name = d.of([
      'content-type',
      'accept',
      'authorization',
      'mcp-session-id',
      'mcp-protocol-version',
      'origin',
      'host',
    ]);
    if (d.below(4) === 0) delete sets[name];
    else sets[name] = d.of(wrong);
  }
  return sets;
};

const oddPaths = ['/', '//', '/%', '/mcp/../x', '/.well-known/x', '/mcp?token=x', '/mcp?toolset=all'];
const oddMethods = ['PUT', 'DELETE', 'OPTIONS', 'PATCH'];

const send = (target: Target, agent: Agent, d: Dice): Promise<Answer> => {
  const { host, port } = target;
  const method = d.below(16) === 0 ? d.of(oddMethods) : 'POST';
  // A right DELETE would end the session that all others use.
  const headers = headerSets(d, method === 'DELETE' ? { ...target, session: 'another' } : target);
  const path = d.below(16) === 0 ? d.of(oddPaths) : '/mcp';
  const sent = body(d);
  const signal = AbortSignal.timeout(30_000);
  return new Promise((resolve, reject) => {
    const framed = { ...headers, 'content-length': sent.length };
    const call = request({ host, port, path, method, headers: framed, agent, signal }, (response) => {
      textOf(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      );
    });
    call.on('error', reject);
    call.end(sent);
  });
};

/** Bytes that are not even HTTP, or HTTP of a bad kind. */
const raw = ({ host, port, token }: Target, d: Dice): Promise<Answer> => {
  const lines = [
    `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`,
    `POST /mcp HTTP/9.9\r\n\r\n`,
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc`,
    `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    '\u0016\u0003\u0001\u0002',
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.end(flipped(d, Buffer.from(d.of(lines)))));
    let text = '';
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), headers: {}, text }));
  });
};

/** Sends `count` malformed requests, `width` at once, and hands each answer to `see`. */
export const fuzz = async (
  target: Target,
  seed: number,
  count: number,
  see: (answer: Answer) => void,
): Promise<void> => {
  const width = 32;
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const d = dice(seed + next++);
      see(d.below(20) === 0 ? await raw(target, d) : await send(target, agent, d));
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  agent.destroy();
};
