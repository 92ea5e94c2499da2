import { randomUUID } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createServer, type ServerOptions } from './server.ts';

/** Serves MCP on stdin and stdout until the client closes stdin. Nothing but the protocol is ever written to stdout. */
export const serveStdio = async (options: Omit<ServerOptions, 'mcpSession'>): Promise<void> => {
  const server = createServer({ ...options, mcpSession: randomUUID() });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
};
