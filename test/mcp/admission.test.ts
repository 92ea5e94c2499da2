import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { isLoopback, serveAdmission, windowAdmission, type AuthMode } from '#mcp/http/admission.ts';
import type { Principal, Refusal } from '#mcp/http/route.ts';

const token = 'a'.repeat(64);
const readonlyToken = 'b'.repeat(64);
const refusalOf = (asked: Principal | Refusal): Refusal | undefined => ('status' in asked ? asked : undefined);
const request = (headers: object): IncomingMessage => ({ headers }) as unknown as IncomingMessage;

describe('the window’s host', () => {
  const right = { host: '127.0.0.1:5000', 'x-loom-token': token };
  test.each([
    ['with the token', right, true],
    ['by the name localhost', { ...right, host: 'localhost:5000' }, true],
    ['from a local page', { ...right, origin: 'http://127.0.0.1:8080' }, true],
    ['without a token', { host: right.host }, false],
    ['with a wrong token', { ...right, 'x-loom-token': `${token}a` }, false],
    ['with the token elsewhere', { host: right.host, authorization: `Bearer ${token}` }, false],
    ['under a rebound name', { ...right, host: 'evil.example:5000' }, false],
    ['under another port', { ...right, host: '127.0.0.1:5001' }, false],
    ['without a host', { 'x-loom-token': token }, false],
    ['from a page of the web', { ...right, origin: 'https://evil.example' }, false],
    ['from a page that looks local', { ...right, origin: 'https://localhost.evil.example' }, false],
    ['from a sandboxed page', { ...right, origin: 'null' }, false],
  ])('a request %s', (_, headers, admitted) => {
    const asked = windowAdmission(token, () => 5000).request(request(headers));
    expect(refusalOf(asked)?.status).toBe(admitted ? undefined : 404);
  });
});

describe('loom serve', () => {
  const plain = 'Bearer realm="loom"';
  const invalid = 'Bearer realm="loom", error="invalid_token"';
  const host = '127.0.0.1:5000';
  const bearer = { host, authorization: `Bearer ${token}` };
  test.each<[string, AuthMode, object, string[], number | undefined, string?]>([
    ['the token', 'required', bearer, ['tools/call'], undefined],
    ['the scheme in lower case', 'required', { host, authorization: `bearer ${token}` }, [], undefined],
    ['no token', 'required', { host }, ['initialize'], 401, plain],
    ['a wrong token', 'required', { host, authorization: 'Bearer x' }, ['initialize'], 401, invalid],
    ['another scheme', 'required', { host, authorization: `Basic ${token}` }, ['ping'], 401, invalid],
    ['the token in the window’s header', 'required', { host, 'x-loom-token': token }, ['ping'], 401, plain],
    ['no token, discovery', 'discovery_only', { host }, ['initialize', 'tools/list'], undefined],
    ['no token, a notification', 'discovery_only', { host }, ['notifications/initialized'], undefined],
    ['no token, a call', 'discovery_only', { host }, ['tools/call'], 401, plain],
    ['no token, a call in a batch', 'discovery_only', { host }, ['ping', 'tools/call'], 401, plain],
    ['no token, the drawer’s primer', 'discovery_only', { host }, ['resources/read'], 401, plain],
    ['the token, a call', 'discovery_only', bearer, ['tools/call'], undefined],
    ['no token', 'open', { host }, ['tools/call'], undefined],
    ['a wrong token', 'open', { host, authorization: 'Bearer x' }, ['tools/call'], undefined],
    ['a rebound name', 'open', { host: 'evil.example:5000' }, [], 403],
    ['a rebound name', 'required', { ...bearer, host: 'evil.example' }, [], 403],
    ['no host', 'open', {}, [], 403],
    ['a host with a path', 'open', { host: 'localhost/evil' }, [], 403],
    ['an address', 'open', { host: '192.0.2.7:80' }, [], undefined],
    ['an IPv6 address', 'open', { host: '[::1]:80' }, [], undefined],
    ['this machine’s name', 'open', { host: hostname().toUpperCase() }, [], undefined],
    ['a page of the web', 'open', { host, origin: 'https://evil.example' }, [], 403],
    ['a local page', 'open', { host, origin: 'http://localhost:3000' }, [], undefined],
    ['a sandboxed page', 'open', { host, origin: 'null' }, [], 403],
  ])('%s, %s', (_, mode, headers, methods, status, asks) => {
    const admission = serveAdmission({ mode, token, readonlyToken, host: '0.0.0.0' });
    const one = request(headers);
    const who = admission.request(one);
    const refusal = 'status' in who ? who : admission.methods?.(who, methods);
    expect(refusal?.status).toBe(status);
    expect(refusal?.headers?.['www-authenticate']).toBe(asks);
    expect(JSON.stringify(refusal ?? {})).not.toContain(token);
  });

  test.each([
    ['required', token, false],
    ['required', readonlyToken, true],
    ['discovery_only', readonlyToken, true],
    ['open', readonlyToken, true],
    ['open', token, false],
  ] as const)('%s: who holds a token only reads, or not', (mode, held, readOnly) => {
    const admission = serveAdmission({ mode, token, readonlyToken, host: '127.0.0.1' });
    expect(admission.request(request({ host, authorization: `Bearer ${held}` }))).toMatchObject({ readOnly });
  });

  test('one token for both only reads', () => {
    const admission = serveAdmission({ mode: 'required', token, readonlyToken: token, host: '127.0.0.1' });
    expect(admission.request(request(bearer))).toMatchObject({ readOnly: true });
  });

  test.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.7', false],
    ['127.0.0.1.evil.example', false],
  ])('%s is loopback: %s', (host, only) => expect(isLoopback(host)).toBe(only));
});
