// The protocol on stdin and stdout.
import { randomUUID } from 'node:crypto';
import { createServer, type ServerOptions } from './server.ts';
import { stdioTransport } from './stdioTransport.ts';

/**
 * Serves MCP on stdin and stdout until the client closes stdin or `signal` aborts. Nothing but the protocol is ever
 * written to stdout.
 */
export const serveStdio = async (options: Omit<ServerOptions, 'mcpSession'>, signal: AbortSignal): Promise<void> => {
  const server = createServer({ ...options, mcpSession: randomUUID() });
  const { onclose } = server;
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => {
      onclose?.();
      resolve();
    };
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(stdioTransport(process.stdin, process.stdout));
  if (!signal.aborted) await closed;
  await server.close();
};
