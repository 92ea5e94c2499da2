import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { hooks } = JSON.parse(readFileSync(join(root, 'media/agent/archive/hooks.json'), 'utf8')) as {
  hooks: Record<string, { command: string; env: Record<string, string> }[]>;
};

/** Runs the command of a hook as VS Code does: through a shell, what happened on stdin. */
const run = (env: Record<string, string>, input: string): Promise<{ code: number | null; said: string }> => {
  const [hook] = hooks['PostToolUse'] ?? [];
  if (hook === undefined) throw new Error('no hook for PostToolUse');
  const child = spawn(hook.command, { shell: true, env: { ...process.env, ...hook.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  // VS Code has no listener here: a hook that does not read to the end would be a fault of its own.
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.stdin.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
};

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return String((server.address() as AddressInfo).port);
};

const program = { LOOM_HOOK_NODE: process.execPath, LOOM_HOOK: join(root, 'src/hook.ts') };
const event = JSON.stringify({ hook_event_name: 'PostToolUse', tool_response: 'é'.repeat(500_000) });
const silent = { code: 0, said: '' };

test('every event runs the same command', () => {
  const [first, ...rest] = Object.values(hooks);
  expect(Object.keys(hooks)).toEqual(['PostToolUse', 'UserPromptSubmit', 'PreCompact']);
  for (const other of rest) expect(other).toEqual(first);
});

test('what VS Code says is posted, and what Loom answers is printed', async () => {
  let seen: unknown;
  const port = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen = { url: request.url, token: request.headers['x-loom-token'], body: Buffer.concat(chunks).toString() };
      // As our host answers: without a length, which HTTP/1.1 would send in chunks.
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"hookSpecificOutput":{}}');
    });
  });
  const printed = await run({ ...program, LOOM_ARCHIVE: `${port} secret` }, event);
  expect(printed).toEqual({ code: 0, said: '{"hookSpecificOutput":{}}' });
  expect(seen).toEqual({ url: '/archive', token: 'secret', body: event });
});

test.each<[string, () => Promise<Record<string, string>> | Record<string, string>]>([
  ['the extension is gone', () => ({ LOOM_ARCHIVE: '' })],
  [
    'its programs are gone',
    () => ({ LOOM_ARCHIVE: '1 x', LOOM_HOOK_NODE: '/nowhere/node', LOOM_HOOK: '/nowhere/hook' }),
  ],
  ['nobody listens', () => ({ ...program, LOOM_ARCHIVE: '1 x' })],
  [
    'Loom has nothing to say',
    async () => ({ ...program, LOOM_ARCHIVE: `${await listen((_, it) => it.writeHead(204).end())} x` }),
  ],
  [
    'Loom refuses',
    async () => ({ ...program, LOOM_ARCHIVE: `${await listen((_, it) => it.writeHead(404).end('no'))} x` }),
  ],
  ['Loom never answers', async () => ({ ...program, LOOM_ARCHIVE: `${await listen(() => undefined)} x` })],
])('where %s a hook says nothing and ends well', async (_, env) => {
  expect(await run(await env(), event)).toEqual(silent);
});
