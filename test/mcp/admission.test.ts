import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { admits } from '#mcp/admission.ts';

const token = 'a'.repeat(64);
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
])('a request %s', (_, headers, admitted) =>
  expect(admits({ headers } as unknown as IncomingMessage, token, 5000)).toBe(admitted),
);
