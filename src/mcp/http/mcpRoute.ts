// `/mcp`: MCP over Streamable HTTP, one connection a client.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { readMessages, type Messages } from './body.ts';
import type { Connection, Connections } from './connections.ts';
import { refuse, rightsOf, type Admission, type Principal, type Refusal, type Route } from './route.ts';

/** What a new connection is known by; `url` is the one its client connected with. */
export type Opening = { id: string; url: URL; who: Principal };

export type McpRoute = {
  admission: Admission;
  connections: Connections;
  /** The MCP server of one new connection. */
  open: (opening: Opening) => Server;
};

const unsupported = (request: IncomingMessage): Refusal | undefined => {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
  const data = { supported: SUPPORTED_PROTOCOL_VERSIONS };
  return { status: 400, code: -32022, message: 'This MCP-Protocol-Version is not served.', data };
};

const begin = async ({ open, connections }: McpRoute, url: URL, who: Principal): Promise<Connection | Refusal> => {
  if (!connections.hasRoom(rightsOf(who))) {
    const message = 'Too many sessions are in use. Try again later.';
    return { status: 503, code: -32000, message, headers: { 'retry-after': '60' } };
  }
  const id = randomUUID();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  const server = open({ id, url, who });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    connections.forget(id);
  };
  // The SDK's transport has optional members that exactOptionalPropertyTypes does not accept as a Transport.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const connection: Connection = { id, transport, rights: rightsOf(who), close: () => server.close() };
  connections.add(connection);
  return connection;
};

/** 404 tells a client to begin a new session. */
const sessionNotFound: Refusal = { status: 404, code: -32001, message: 'Session not found: initialize again.' };

/**
 * The session that a request names, where whoever asks has the rights that it was begun with; or the token now, where it was
 * begun without.
 */
const knownTo = (
  { connections }: McpRoute,
  { headers: { 'mcp-session-id': id } }: IncomingMessage,
  who: Principal,
): Connection | undefined => {
  const known = typeof id === 'string' ? connections.get(id) : undefined;
  const rights = rightsOf(who);
  return known?.rights === rights || (known?.rights === 'discovery' && rights === 'all') ? known : undefined;
};

/** Why the session that a request names is none; undefined where it names none, or one that is there. */
const lost = (route: McpRoute, request: IncomingMessage, who: Principal): Refusal | undefined =>
  request.headers['mcp-session-id'] === undefined || knownTo(route, request, who) ? undefined : sessionNotFound;

const connectionFor = async (
  route: McpRoute,
  request: IncomingMessage,
  who: Principal,
  body: unknown,
): Promise<Connection | Refusal> => {
  const known = knownTo(route, request, who);
  if (known !== undefined) return known;
  // A request that begins one has no id yet.
  if (request.headers['mcp-session-id'] !== undefined) return sessionNotFound;
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (!isInitializeRequest(body) || url === null)
    return { status: 400, code: -32000, message: 'No session: send an initialize request first.' };
  return begin(route, url, who);
};

const handle = async (
  route: McpRoute,
  request: IncomingMessage,
  response: ServerResponse,
  who: Principal,
): Promise<void> => {
  const wrong = unsupported(request);
  if (wrong !== undefined) return refuse(response, wrong);
  const body: Messages | { refusal: Refusal } | undefined =
    request.method === 'POST' ? await readMessages(request) : undefined;
  if (body !== undefined && 'refusal' in body) return refuse(response, body.refusal);
  const unproven = route.admission.methods?.(who, body?.methods ?? []);
  if (unproven !== undefined) return refuse(response, unproven);
  if (body?.fault !== undefined) return refuse(response, lost(route, request, who) ?? body.fault);
  const connection = await connectionFor(route, request, who, body?.value);
  if ('status' in connection) return refuse(response, connection);
  const busy = route.connections.use(connection.id);
  response.once('close', () => busy.dispose());
  await connection.transport.handleRequest(request, response, body?.value);
};

export const mcpRoute = (route: McpRoute): Route => ({
  path: '/mcp',
  discovery: true,
  handle: (request, response, who) => handle(route, request, response, who),
});
