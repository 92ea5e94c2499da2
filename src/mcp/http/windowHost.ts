// The editor window's HTTP host.
import { randomBytes } from 'node:crypto';
import type { Disposable } from '#base/disposable.ts';
import { schemaProfileNamed } from '#mcp/listing/listing.ts';
import { toolsetNamed } from '#mcp/listing/toolsets.ts';
import { createServer, type ServerOptions } from '#mcp/server.ts';
import { tokenHeader, windowAdmission } from './admission.ts';
import type { Admission, Route } from './route.ts';
import { startHttpServer, type HttpServer } from './server.ts';

/** `toolset` and `schemaProfile` are for clients that name none in their URL. */
export type HttpHostOptions = Omit<ServerOptions, 'mcpSession' | 'readOnly' | 'billed'> & { routes?: readonly Route[] };

export type HttpHost = Disposable & {
  /** `http://127.0.0.1:<port>/mcp`. */
  url: string;
  /** What every request must carry. */
  headers: Record<string, string>;
  sessions: () => number;
};

/**
 * Loom's tools on an address of this machine. The URL of a connection chooses what it lists; what only reads stays so: the
 * toolset `readonly` of the one who started it, and a principal's rights, are ceilings that no URL lifts.
 */
export const serveTools = (
  options: HttpHostOptions,
  listen: { host: string; port: number; admission: (port: () => number) => Admission },
): Promise<HttpServer> =>
  startHttpServer({
    ...listen,
    log: options.house.log,
    routes: options.routes,
    open: ({ id, url: { searchParams }, who }) =>
      createServer({
        ...options,
        mcpSession: id,
        toolset: () => toolsetNamed(options.house.rosters, searchParams.get('toolset'), options.toolset()),
        billed: who.unproven === undefined,
        readOnly: () => who.readOnly || options.toolset() === 'readonly',
        schemaProfile: schemaProfileNamed(searchParams.get('schema_profile'), options.schemaProfile),
      }),
  });

/**
 * The editor window's host: on 127.0.0.1 and a port that the system chooses, for those who hold the token.
 *
 * It never listens on another interface, never answers a request without the token, and never reads a token from a URL.
 */
export const startHttpHost = async (options: HttpHostOptions): Promise<HttpHost> => {
  const token = randomBytes(32).toString('hex');
  const server = await serveTools(options, {
    host: '127.0.0.1',
    port: 0,
    admission: (port) => windowAdmission(token, port),
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    headers: { [tokenHeader]: token },
    sessions: server.sessions,
    dispose: () => server.dispose(),
  };
};
