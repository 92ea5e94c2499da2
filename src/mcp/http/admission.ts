import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { isIP } from 'node:net';

/** Carries the window's token. Not `Authorization`: VS Code would take the server for one with OAuth. */
export const tokenHeader = 'X-Loom-Token';

/** What needs the token: everything; calls and whatever else reads the drawer; nothing. */
export const authModes = ['required', 'discovery_only', 'open'] as const;
export type AuthMode = (typeof authModes)[number];

/** How a request is turned away. */
export type Refusal = { status: number; code: number; message: string; headers?: Record<string, string> };

/** Who may ask what. Undefined admits. */
export type Admission = {
  /** Asked before a byte of the body is read. */
  request: (request: IncomingMessage) => Refusal | undefined;
  /** Asked with the JSON-RPC methods of the body. */
  methods?: (request: IncomingMessage, methods: readonly string[]) => Refusal | undefined;
};

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

const local = new Set(['127.0.0.1', 'localhost', '[::1]']);

const isLocalPage = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && local.has(url.hostname);
};

const notFound: Refusal = { status: 404, code: -32000, message: 'Not found.' };

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
    return typeof sent === 'string' && same(sent, token) ? undefined : notFound;
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

/**
 * `loom serve`'s. A page that rebinds DNS names its own host, so a name must be one that this machine has; an address is
 * none that a page could rebind. A token counts in the Authorization header alone: URLs end up in logs.
 */
export const serveAdmission = (mode: AuthMode, token: string, listensOn: string): Admission => {
  const names = new Set([...local, listensOn.toLowerCase(), hostname().toLowerCase()]);
  const known = (name: string): boolean => names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  const strange = ({ headers: { host, origin } }: IncomingMessage): Refusal | undefined => {
    const name = hostIn(host);
    if (name === undefined || !known(name))
      return { status: 403, code: -32000, message: 'This server is not reached by that Host.' };
    const page = origin === undefined ? undefined : URL.parse(origin)?.hostname;
    if (origin !== undefined && !local.has(page ?? '') && page !== name)
      return { status: 403, code: -32000, message: 'Web pages of another origin are not served.' };
    return undefined;
  };
  const unproven = (request: IncomingMessage): Refusal | undefined => {
    const sent = bearer(request);
    if (sent !== undefined && same(sent, token)) return undefined;
    const invalid = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
    const message = 'Send the token that loom serve printed (or LOOM_TOKEN): Authorization: Bearer <token>.';
    return { status: 401, code: -32001, message, headers: { 'www-authenticate': `Bearer realm="loom"${invalid}` } };
  };
  const all: Admission = { request: strange };
  if (mode === 'open') return all;
  if (mode === 'required') return { request: (request) => strange(request) ?? unproven(request) };
  return {
    ...all,
    methods: (request, methods) => (methods.every(isDiscovery) ? undefined : unproven(request)),
  };
};
