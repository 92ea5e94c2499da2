// Clients that nobody here wrote, against `loom serve`'s host with its token.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { clientConfig } from '#cli/clients.ts';
import type { Served } from '#mcp/http/serve.ts';
import { getProgram } from '#scripts/npmPackage.ts';
import { scoped } from '#scripts/scope.ts';
import { conformance, scenarios } from '../clients/conformance.ts';
import { bundles, openLoom, remove, root, scratch, type TestLoom } from '../fixtures.ts';

const token = 'the-token-of-this-test';
const authorization = `Bearer ${token}`;
let folder: string;
let loom: TestLoom;
let served: Served;

beforeAll(async () => {
  folder = scratch();
  loom = openLoom({ programs: bundles, workspace: folder, drawer: join(folder, 'drawer'), log: silentLog });
  served = await loom.serve({ authMode: 'required', token });
});
afterAll(async () => {
  await loom.close();
  remove(folder);
});

/** A home of its own: these programs read the configuration of every client that they know. */
const runProgram = async (file: string, args: string[]): Promise<string> => {
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, LOOM_DB: join(folder, 'drawer') };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, env });
  return stdout;
};

const health = /^drawer: open/;

test('@modelcontextprotocol/conformance: every server scenario of the newest revision, behind this host', async () => {
  const { code, output } = await conformance();
  expect(output).toMatch(/Running all suite \(32 scenarios\)/);
  expect(output).toMatch(/Total: \d+ passed, 0 failed/);
  expect(code, output).toBe(0);
});

test('and those that need no fixture, with Loom’s own tools', async () => {
  const open = await loom.serve({ authMode: 'open', toolset: () => 'all' });
  const run = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'].map((one) =>
    scenarios(open.url, one),
  );
  const ended = await Promise.all(run);
  open.dispose();
  for (const { code, output } of ended) expect(code, output).toBe(0);
});

test('@ai-sdk/mcp', async () => {
  const client = await createMCPClient({ transport: { type: 'http', url: served.url, headers: { authorization } } });
  const tools = await client.tools();
  expect(Object.keys(tools)).toContain('ctx_health');
  const answer = await tools['ctx_health']?.execute({}, { toolCallId: '1', messages: [], context: {} });
  expect((answer as { content: { text: string }[] }).content[0]?.text).toMatch(health);
  await client.close();
});

test('@modelcontextprotocol/inspector, which finds no schema that a client would refuse', async () => {
  const entry = 'clients/launcher/build/index.js';
  const file = await scoped((scope) => getProgram(scope, '@modelcontextprotocol/inspector', '2.12.0', entry));
  const at = ['--cli', served.url, '--transport', 'http', '--header', `Authorization: ${authorization}`];
  const listed = JSON.parse(await runProgram(file, [...at, '--method', 'tools/list', '--strict'])) as {
    tools: { name: string }[];
  };
  expect(listed.tools.map(({ name }) => name)).toContain('ctx_health');
  const called = await runProgram(file, [...at, '--method', 'tools/call', '--tool-name', 'ctx_health']);
  expect((JSON.parse(called) as { content: { text: string }[] }).content[0]?.text).toMatch(health);
}, 300_000);

test('mcporter, over HTTP and by the very configuration that `loom client` writes', async () => {
  const file = await scoped((scope) => getProgram(scope, 'mcporter', '0.12.3', 'dist/cli.js'));
  const command = { command: process.execPath, args: [join(root, 'dist/cli.cjs'), 'mcp'] };
  const config = clientConfig('cursor', { ...command, env: { LOOM_DB: join(folder, 'drawer') } });
  const { mcpServers } = JSON.parse(config.text) as { mcpServers: object };
  const remote = { baseUrl: served.url, headers: { Authorization: authorization } };
  writeFileSync(join(folder, 'mcporter.json'), JSON.stringify({ imports: [], mcpServers: { ...mcpServers, remote } }));
  const at = ['--config', join(folder, 'mcporter.json')];
  for (const server of ['remote', 'loom']) {
    const listed = await runProgram(file, [...at, 'list', server, '--json']);
    expect(listed).toContain(server === 'loom' ? '"ctx_get"' : '"ctx_health"');
    expect(await runProgram(file, [...at, 'call', `${server}.ctx_health`])).toMatch(health);
  }
}, 300_000);
