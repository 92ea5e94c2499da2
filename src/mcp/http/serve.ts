// `loom serve`'s HTTP host.
import { randomBytes } from 'node:crypto';
import { LoomError } from '#base/errors.ts';
import { isLoopback, serveAdmission, type AuthMode } from './admission.ts';
import { serveTools, type HttpHostOptions } from './windowHost.ts';
import type { HttpServer } from './server.ts';

export type ServeOptions = HttpHostOptions & {
  host: string;
  port: number;
  authMode: AuthMode;
  /** Undefined: one is made. */
  token: string | undefined;
  /** A second token, whose holder only reads; undefined: there is none. */
  readonlyToken: string | undefined;
  /** A person said that a server without a token may be reached by others. */
  allowInsecure: boolean;
};

export type Served = HttpServer & {
  url: string;
  /** What clients send; undefined where nothing needs it. */
  token: string | undefined;
  /** The token was made here: a person has to be shown it. */
  made: boolean;
};

/** `[::1]` for `::1`: an address as URLs write it. */
const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * Loom's tools over HTTP for clients that a person starts elsewhere. Without a token it listens only where no other machine
 * reaches it, unless a person said otherwise.
 */
export const startServe = async (options: ServeOptions): Promise<Served> => {
  const { host, port, authMode, readonlyToken, allowInsecure } = options;
  if (authMode === 'open' && !isLoopback(host) && !allowInsecure)
    throw new LoomError(
      'INSECURE_HOST',
      `${host} is reached by other machines, and LOOM_MCP_AUTH_MODE=open lets all of them run code here.`,
    );
  const token = options.token ?? randomBytes(32).toString('base64url');
  const bare = host.replace(/^\[|\]$/g, '');
  const server = await serveTools(options, {
    host: bare,
    port,
    admission: () => serveAdmission({ mode: authMode, token, readonlyToken, host: bare }),
  });
  const open = authMode === 'open';
  return {
    ...server,
    url: `http://${inUrl(bare)}:${server.port}/mcp`,
    token: open ? undefined : token,
    made: !open && options.token === undefined,
  };
};
