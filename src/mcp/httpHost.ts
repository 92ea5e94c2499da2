import { randomBytes, randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Disposable } from '#base/disposable.ts';
import type { Toolset } from './defineTool.ts';
import { toolsetNamed } from './registry.ts';
import { createServer, type ServerOptions } from './server.ts';
import { schemaProfileNamed } from './surface.ts';
import { admits, tokenHeader } from './admission.ts';
import { readBody } from './body.ts';
import { Sessions, type Session } from './sessions.ts';

export type HttpHostOptions = Omit<ServerOptions, 'mcpSession' | 'toolset'> & {
  /** What a client that names no toolset in its URL is shown. */
  toolset: () => Toolset;
};

export type HttpHost = Disposable & {
  /** `http://127.0.0.1:<port>/mcp`. */
  url: string;
  /** What every request must carry. */
  headers: Record<string, string>;
  sessions: () => number;
};

const fail = (response: ServerResponse, status: number, code: number, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
};

const openSession = async (options: HttpHostOptions, query: URLSearchParams, sessions: Sessions): Promise<Session> => {
  const id = randomUUID();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  const server = createServer({
    ...options,
    mcpSession: id,
    toolset: toolsetNamed(query.get('toolset'), options.toolset()),
    schemaProfile: schemaProfileNamed(query.get('schema_profile'), options.schemaProfile),
  });
  // The SDK's transport has optional members that exactOptionalPropertyTypes does not accept as a Transport.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const session: Session = { id, transport, close: () => server.close() };
  transport.onclose = () => sessions.forget(id);
  return session;
};

/**
 * MCP over Streamable HTTP on 127.0.0.1 and a port that the system chooses, for those who hold the token.
 *
 * It never listens on another interface, never answers a request without the token, and never reads a token from a URL.
 */
export const startHttpHost = async (options: HttpHostOptions): Promise<HttpHost> => {
  const token = randomBytes(32).toString('hex');
  const sessions = new Sessions(options.log);
  let port = 0;

  const mcp = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body !== undefined && 'error' in body) return fail(response, body.status, body.error, body.message);
    const id = request.headers['mcp-session-id'];
    let session = typeof id === 'string' ? sessions.get(id) : undefined;
    if (session === undefined) {
      // 404 tells a client to begin a new session; a request that begins one has no id yet.
      if (id !== undefined) return fail(response, 404, -32001, 'Session not found: initialize again.');
      if (body === undefined || !isInitializeRequest(body.value))
        return fail(response, 400, -32000, 'No session: send an initialize request first.');
      session = await openSession(options, url.searchParams, sessions);
      sessions.add(session);
    }
    const busy = sessions.use(session.id);
    response.once('close', () => busy.dispose());
    await session.transport.handleRequest(request, response, body?.value);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    // 404 for strangers: 401 and 403 make VS Code start an OAuth flow.
    if (!admits(request, token, port) || url.pathname !== '/mcp') return fail(response, 404, -32000, 'Not found.');
    await mcp(request, response, url);
  };

  const http = createHttpServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.log.error('an HTTP request failed', error);
      if (response.headersSent) response.destroy();
      else fail(response, 500, -32603, 'Internal error.');
    });
  });
  http.on('clientError', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, '127.0.0.1', resolve);
  });
  port = (http.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { [tokenHeader]: token },
    sessions: () => sessions.size,
    dispose: () => {
      sessions.dispose();
      http.close();
      http.closeAllConnections();
    },
  };
};
