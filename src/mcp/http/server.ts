import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { Disposable } from '#base/disposable.ts';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Admission, Refusal } from './admission.ts';
import { readBody, type Body } from './body.ts';
import { Sessions, type Session } from './connections.ts';

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
  // What is left of a body that nobody reads would be taken for the next request.
  const close = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...close, ...headers });
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

type Door = { options: HttpServerOptions; port: () => number; admission: Admission; sessions: Sessions };

const begin = async ({ options, sessions }: Door, url: URL): Promise<Session | Refused> => {
  if (!sessions.hasRoom()) {
    const message = 'Too many sessions are in use. Try again later.';
    return { status: 503, code: -32000, message, headers: { 'retry-after': '60' } };
  }
  const id = randomUUID();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  const server = options.open({ id, url });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    sessions.forget(id);
  };
  // The SDK's transport has optional members that exactOptionalPropertyTypes does not accept as a Transport.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const session: Session = { id, transport, close: () => server.close() };
  sessions.add(session);
  return session;
};

const sessionFor = async (
  door: Door,
  request: IncomingMessage,
  url: URL,
  body: unknown,
): Promise<Session | Refused> => {
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? door.sessions.get(id) : undefined;
  if (known !== undefined) return known;
  // 404 tells a client to begin a new session; a request that begins one has no id yet.
  if (id !== undefined) return { status: 404, code: -32001, message: 'Session not found: initialize again.' };
  if (!isInitializeRequest(body))
    return { status: 400, code: -32000, message: 'No session: send an initialize request first.' };
  return begin(door, url);
};

const answer = async (door: Door, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { options, admission, sessions } = door;
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  const route = request.method === 'POST' ? options.routes?.[url?.pathname ?? ''] : undefined;
  const refused = (route?.admission(door.port) ?? admission).request(request);
  if (refused !== undefined) return fail(response, refused);
  if (route !== undefined) return post(route, request, response);
  if (url?.pathname !== '/mcp') return fail(response, { status: 404, code: -32000, message: 'Not found.' });
  const wrong = unsupported(request);
  if (wrong !== undefined) return fail(response, wrong);
  const body: Body | undefined = request.method === 'POST' ? await readBody(request) : undefined;
  if (body !== undefined && 'refusal' in body) return fail(response, body.refusal);
  const unproven = admission.methods?.(request, body?.methods ?? []);
  if (unproven !== undefined) return fail(response, unproven);
  const session = await sessionFor(door, request, url, body?.value);
  if ('status' in session) return fail(response, session);
  const busy = sessions.use(session.id);
  response.once('close', () => busy.dispose());
  await session.transport.handleRequest(request, response, body?.value);
};

/** What no handler answered: a fault of ours, or a client that left. */
const failed = (log: Log, response: ServerResponse, error: unknown): void => {
  if (isGone(error)) log.debug('a client went away within its request');
  else log.error('an HTTP request failed', error);
  if (response.headersSent) response.destroy();
  else fail(response, { status: 500, code: -32603, message: 'Internal error.' });
};

const listen = async (http: NodeServer, host: string, port: number): Promise<number> => {
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(port, host, resolve);
    });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    const message = `Nothing can listen on ${host}:${port} (${why}). Choose another --port, or 0 for a free one.`;
    throw new LoomError('LISTEN_FAILED', message, { cause: error });
  }
  return (http.address() as AddressInfo).port;
};

/**
 * MCP over Streamable HTTP at `/mcp`, one session a client, for those whom `admission` lets in. Whatever is sent, the
 * answer is a status and words of ours: never a stack, a token or a part of another's request. Rejects with
 * `LISTEN_FAILED`.
 */
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { log, host } = options;
  const sessions = new Sessions(log);
  let port = 0;
  const door: Door = { options, port: () => port, sessions, admission: options.admission(() => port) };
  const http = createServer((request, response) => {
    answer(door, request, response).catch((error: unknown) => failed(log, response, error));
  });
  // Whoever was answered on this connection would take a second answer for one to the next request.
  http.on('clientError', (_, socket) =>
    socket.end((socket as Socket).bytesWritten > 0 ? '' : 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'),
  );
  const dispose = (): void => {
    sessions.dispose();
    http.close();
    http.closeAllConnections();
  };
  try {
    port = await listen(http, host, options.port);
  } catch (error) {
    sessions.dispose();
    throw error;
  }
  return { host, port, sessions: () => sessions.size, dispose };
};
