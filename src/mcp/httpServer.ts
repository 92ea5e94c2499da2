import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { Disposable } from '#base/disposable.ts';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Admission, Refusal } from './admission.ts';
import { readBody, type Body } from './body.ts';
import { Sessions, type Session } from './sessions.ts';

/** A path of its own: JSON is posted to it by those whom its own admission lets in. */
export type Route = {
  admission: (port: () => number) => Admission;
  /** The JSON to answer with; no content where it is undefined. */
  take: (body: unknown) => unknown;
};

export type HttpServerOptions = {
  /** By path, `/mcp` aside. */
  routes?: Readonly<Record<string, Route>> | undefined;
  log: Log;
  /** Port 0: one that the system chooses. */
  host: string;
  port: number;
  /** Made once the port is known. */
  admission: (port: () => number) => Admission;
  /** The MCP server of one new session; `url` is the one its client connected with. */
  open: (session: { id: string; url: URL }) => Server;
};

export type HttpServer = Disposable & {
  host: string;
  port: number;
  sessions: () => number;
};

type Refused = Refusal & { data?: unknown };

const fail = (response: ServerResponse, { status, code, message, headers = {}, data }: Refused): void => {
  const error = data === undefined ? { code, message } : { code, message, data };
  // The connection ends: what is left of a body that nobody reads would be taken for the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
};

const post = async ({ take }: Route, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await readBody(request);
  if ('refusal' in body) return fail(response, body.refusal);
  const answer = take(body.value);
  if (answer === undefined) response.writeHead(204).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

const unsupported = (request: IncomingMessage): Refused | undefined => {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
  const data = { supported: SUPPORTED_PROTOCOL_VERSIONS };
  return { status: 400, code: -32022, message: 'This MCP-Protocol-Version is not served.', data };
};

/** A client that went away in the middle of its request is no fault of anybody. */
const isGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * MCP over Streamable HTTP at `/mcp`, one session a client, for those whom `admission` lets in. Whatever is sent, the
 * answer is a status and words of ours: never a stack, a token or a part of another's request.
 */
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { log, open } = options;
  const sessions = new Sessions(log);
  let port = 0;
  const admission = options.admission(() => port);

  const begin = async (url: URL): Promise<Session | Refused> => {
    if (!sessions.hasRoom()) {
      const message = 'Too many sessions are in use. Try again later.';
      return { status: 503, code: -32000, message, headers: { 'retry-after': '60' } };
    }
    const id = randomUUID();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = open({ id, url });
    // The SDK's transport has optional members that exactOptionalPropertyTypes does not accept as a Transport.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    const session: Session = { id, transport, close: () => server.close() };
    transport.onclose = () => sessions.forget(id);
    sessions.add(session);
    return session;
  };

  const sessionFor = async (request: IncomingMessage, url: URL, body: Body | undefined): Promise<Session | Refused> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return known;
    // 404 tells a client to begin a new session; a request that begins one has no id yet.
    if (id !== undefined) return { status: 404, code: -32001, message: 'Session not found: initialize again.' };
    if (body === undefined || !('value' in body) || !isInitializeRequest(body.value))
      return { status: 400, code: -32000, message: 'No session: send an initialize request first.' };
    return begin(url);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const route = request.method === 'POST' ? options.routes?.[url?.pathname ?? ''] : undefined;
    const refused = (route?.admission(() => port) ?? admission).request(request);
    if (refused !== undefined) return fail(response, refused);
    if (route !== undefined) return post(route, request, response);
    if (url?.pathname !== '/mcp') return fail(response, { status: 404, code: -32000, message: 'Not found.' });
    const wrong = unsupported(request);
    if (wrong !== undefined) return fail(response, wrong);
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body !== undefined && 'refusal' in body) return fail(response, body.refusal);
    const unproven = admission.methods?.(request, body?.methods ?? []);
    if (unproven !== undefined) return fail(response, unproven);
    const session = await sessionFor(request, url, body);
    if ('status' in session) return fail(response, session);
    const busy = sessions.use(session.id);
    response.once('close', () => busy.dispose());
    await session.transport.handleRequest(request, response, body?.value);
  };

  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (isGone(error)) log.debug('a client went away within its request');
      else log.error('an HTTP request failed', error);
      if (response.headersSent) response.destroy();
      else fail(response, { status: 500, code: -32603, message: 'Internal error.' });
    });
  });
  http.on('clientError', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'));
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, options.host, resolve);
  }).catch((error: unknown) => {
    const message = `Nothing can listen on ${options.host}:${options.port} (${(error as NodeJS.ErrnoException).code}).`;
    throw new LoomError('LISTEN_FAILED', `${message} Choose another --port, or 0 for a free one.`, { cause: error });
  });
  port = (http.address() as AddressInfo).port;
  return {
    host: options.host,
    port,
    sessions: () => sessions.size,
    dispose: () => {
      sessions.dispose();
      http.close();
      http.closeAllConnections();
    },
  };
};
