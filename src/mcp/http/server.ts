// The HTTP host: paths, those who may come in by them, and what becomes of a request that nobody answered.
import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Disposable } from '#base/disposable.ts';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { Connections } from './connections.ts';
import { mcpRoute, type McpRoute } from './mcpRoute.ts';
import { notFound, refuse, type Admission, type Route } from './route.ts';

export type HttpServerOptions = {
  /** Besides `/mcp`. */
  routes?: readonly Route[] | undefined;
  log: Log;
  /** Port 0: one that the system chooses. */
  host: string;
  port: number;
  /** Made once the port is known. */
  admission: (port: () => number) => Admission;
  open: McpRoute['open'];
};

export type HttpServer = Disposable & {
  host: string;
  port: number;
  sessions: () => number;
};

/** A client that went away in the middle of its request is no fault of anybody. */
const isGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '');

type Door = { admission: Admission; paths: ReadonlyMap<string, { admission: Admission; route: Route }> };

const answer = async (door: Door, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '';
  const found = door.paths.get(path);
  // Which paths there are is told only to those who may come in.
  const who = (found ?? door).admission.request(request);
  if ('status' in who) return refuse(response, who);
  if (who.unproven && !found?.route.discovery) return refuse(response, who.unproven);
  if (found === undefined) return refuse(response, notFound);
  return found.route.handle(request, response, who);
};

/** What no handler answered: a fault of ours, or a client that left. */
const failed = (log: Log, response: ServerResponse, error: unknown): void => {
  if (isGone(error)) log.debug('a client went away within its request');
  else log.error('an HTTP request failed', error);
  if (response.headersSent) response.destroy();
  else refuse(response, { status: 500, code: -32603, message: 'Internal error.' });
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
 * MCP over Streamable HTTP at `/mcp` and the routes of rooms beside it, for those whom `admission` lets in. Whatever is
 * sent, the answer is a status and words of ours: never a stack, a token or a part of another's request. Rejects with
 * `LISTEN_FAILED`.
 */
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const { log, host, open, routes = [] } = options;
  const connections = new Connections(log);
  let port = 0;
  const admission = options.admission(() => port);
  const all = [mcpRoute({ admission, connections, open }), ...routes];
  const paths = all.map(
    (route) => [route.path, { route, admission: route.admission?.(() => port) ?? admission }] as const,
  );
  const door: Door = { admission, paths: new Map(paths) };
  const http = createServer((request, response) => {
    answer(door, request, response).catch((error: unknown) => failed(log, response, error));
  });
  // Whoever was answered on this connection would take a second answer for one to the next request.
  http.on('clientError', (_, socket) =>
    socket.end((socket as Socket).bytesWritten > 0 ? '' : 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'),
  );
  const dispose = (): void => {
    connections.dispose();
    http.close();
    http.closeAllConnections();
  };
  try {
    port = await listen(http, host, options.port);
  } catch (error) {
    connections.dispose();
    throw error;
  }
  return { host, port, sessions: () => connections.size, dispose };
};
