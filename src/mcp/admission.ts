import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Carries the host's token. Not `Authorization`: VS Code would take the server for one with OAuth. */
export const tokenHeader = 'X-Loom-Token';

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};

const local = new Set(['127.0.0.1', 'localhost', '[::1]']);

const isLocal = (origin: string): boolean => {
  const url = URL.parse(origin);
  return url !== null && local.has(url.hostname);
};

/**
 * Whether a request may be answered at all: it holds the token, was sent to this host by its loopback name (a page that
 * rebinds DNS comes with its own), and comes from no web page but a local one.
 */
export const admits = ({ headers }: IncomingMessage, token: string, port: number): boolean => {
  const { host, origin } = headers;
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(host ?? '')) return false;
  if (origin !== undefined && !isLocal(origin)) return false;
  const sent = headers[tokenHeader.toLowerCase()];
  return typeof sent === 'string' && same(sent, token);
};
