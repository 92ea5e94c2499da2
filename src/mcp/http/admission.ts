// Who may come in: by token, by the name a request calls this host, by the page it comes from.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { notFound, type Admission, type Principal, type Refusal } from './route.ts';

/** Carries the window's token. Not `Authorization`: VS Code would take the server for one with OAuth. */
export const tokenHeader = 'X-Loom-Token';

/** What needs the token: everything; calls and whatever else reads the drawer; nothing. */
export const authModes = ['required', 'discovery_only', 'open'] as const;
export type AuthMode = (typeof authModes)[number];

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

const local = new Set(['127.0.0.1', 'localhost', '[::1]']);

const isLocalPage = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && local.has(url.hostname);
};

/**
 * The editor window's: a request holds the token, was sent to this host by its loopback name (a page that rebinds DNS comes
 * with its own), and comes from no web page but a local one. 404 for all others: 401 and 403 make VS Code start an OAuth
 * flow.
 */
export const windowAdmission = (token: string, port: () => number): Admission => ({
  request: ({ headers }) => {
    const { host, origin } = headers;
    if (![`127.0.0.1:${port()}`, `localhost:${port()}`].includes(host ?? '')) return notFound;
    if (origin !== undefined && !isLocalPage(origin)) return notFound;
    const sent = headers[tokenHeader.toLowerCase()];
    return typeof sent === 'string' && same(sent, token) ? { readOnly: false } : notFound;
  },
});

/** Whether only this machine reaches a server that listens on `host`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Methods that show what Loom can do and nothing that the drawer holds. */
const discovery = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'tools/list',
]);

const isDiscovery = (method: string): boolean => discovery.has(method) || method.startsWith('notifications/');

/** The name in a Host header, without its port. */
const hostIn = (header: string | undefined): string | undefined => {
  const url = URL.parse(`http://${header ?? ''}`);
  return url === null || url.pathname !== '/' || url.username !== '' ? undefined : url.hostname;
};

const bearer = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];

/** What `loom serve` lets in. */
export type ServeAccess = {
  mode: AuthMode;
  token: string;
  /** Its holder only reads, whatever the mode; undefined: there is none. */
  readonlyToken?: string | undefined;
  /** The host that it listens on. */
  host: string;
};

const sameOrigin = (origin: string, name: string): boolean => {
  const page = URL.parse(origin)?.hostname;
  return local.has(page ?? '') || page === name;
};

/** Why a request is none of a client's: it names a host that this machine is not, or comes from somebody's page. */
const strange = ({ headers: { host, origin } }: IncomingMessage, listensOn: string): Refusal | undefined => {
  const names = new Set([...local, listensOn.toLowerCase(), hostname().toLowerCase()]);
  const name = hostIn(host);
  const known = name !== undefined && (names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  if (!known) return { status: 403, code: -32000, message: 'This server is not reached by that Host.' };
  if (origin !== undefined && !sameOrigin(origin, name))
    return { status: 403, code: -32000, message: 'Web pages of another origin are not served.' };
  return undefined;
};

const unproven = (request: IncomingMessage): Refusal => {
  const invalid = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
  const message = 'Send the token that loom serve printed (or LOOM_TOKEN): Authorization: Bearer <token>.';
  return { status: 401, code: -32001, message, headers: { 'www-authenticate': `Bearer realm="loom"${invalid}` } };
};

/**
 * `loom serve`'s. A page that rebinds DNS names its own host, so a name must be one that this machine has; an address is
 * none that a page could rebind. A token counts in the Authorization header alone: URLs end up in logs.
 */
export const serveAdmission = ({ mode, token, readonlyToken, host }: ServeAccess): Admission => {
  const principal = (request: IncomingMessage): Principal | undefined => {
    const sent = bearer(request);
    if (sent !== undefined && readonlyToken !== undefined && same(sent, readonlyToken)) return { readOnly: true };
    if (mode === 'open' || (sent !== undefined && same(sent, token))) return { readOnly: false };
    return mode === 'discovery_only' ? { readOnly: false, unproven: unproven(request) } : undefined;
  };
  return {
    request: (request) => strange(request, host) ?? principal(request) ?? unproven(request),
    methods: (who, methods) => (methods.every(isDiscovery) ? undefined : who.unproven),
  };
};
