// Restricted mode: what Loom offers in a folder that nobody has trusted yet. Copilot's agent mode is off there, and tests
// in the host are trusted by rule; so another extension tells where Loom listens, and we are its client.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Page } from 'playwright-core';
import { openPage } from '#scripts/browser.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { patience } from '#scripts/patience.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode } from '#scripts/startCode.ts';
import { until } from '#scripts/until.ts';
import { openWorkbench, runCommand, underDevelopment } from '#scripts/workbench.ts';
import { testsInPage } from './inPage.ts';
import type { Result } from './report.ts';
import { core, reading } from './routers.ts';
import type { Tests } from './runTests.ts';

const inTime = { timeout: patience * 1000 };

type Endpoint = { url: string; headers: Record<string, string> };

const endpointVariable = 'LOOM_TEST_ENDPOINT';

/** An extension that writes down where Loom listens. */
const teller = (scope: Scope): string => {
  const folder = scope.folder('teller');
  const manifest = {
    name: 'teller',
    publisher: 'loom',
    version: '0.0.1',
    engines: { vscode: '^1.125.0' },
    main: './main.cjs',
    activationEvents: ['onStartupFinished'],
    extensionKind: ['workspace'],
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const program = `
    const { writeFileSync, renameSync } = require('node:fs');
    const { extensions } = require('vscode');
    exports.activate = async () => {
      const { endpoint } = await extensions.getExtension('loom.loom').activate();
      const file = process.env.${endpointVariable};
      writeFileSync(file + '.part', JSON.stringify(await endpoint()));
      renameSync(file + '.part', file);
    };`;
  writeFileSync(join(folder, 'main.cjs'), program);
  return folder;
};

const connected = async (scope: Scope, { url, headers }: Endpoint): Promise<Client> => {
  const client = new Client({ name: 'restricted', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client['connect']>[0], inTime);
  scope.defer(() => client.close());
  return client;
};

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools(undefined, inTime)).tools.map(({ name }) => name).toSorted();

const ask = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args }, undefined, inTime);
  return (content as { text: string }[]).map(({ text }) => text).join('\n');
};

/** `enter` opens a folder that nobody has trusted yet. */
const restrictedTests = (page: Page, enter: () => Promise<Client>): Tests => ({
  'in a folder that nobody trusted, only what reads or keeps is offered': async () => {
    const client = await enter();
    assert.deepEqual(await namesOf(client), reading);
    const text = Array.from({ length: 2_000 }, (_, n) => `${n} linked object ${n * 37}`).join('\n');
    assert.match(await ask(client, 'ctx_store', { text }), /^d\d+ /);
    assert.match(
      await ask(client, 'loom_op', { op: 'ctx_check', arguments: { facts: ['1000 linked object 37000'] } }),
      /^1 fact/,
    );
    for (const [name, args] of [
      ['run_python', { code: '1' }],
      ['reset_python', {}],
      ['ctx_purge_session', { confirm: true }],
      ['loom_op', { op: 'ctx_profile', arguments: { profile: 'strict' } }],
      ['loom_op_write', { op: 'ctx_profile', arguments: { profile: 'strict' } }],
    ] as const)
      assert.match(await ask(client, name, args), /^Error UNTRUSTED_WORKSPACE /);
  },

  'once a person trusts it, the client is told, and the rest is listed': async () => {
    const client = await enter();
    const told = Promise.withResolvers<void>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => told.resolve());
    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    const buttons = page.locator('.workspace-trust-editor .monaco-button');
    await buttons
      .filter({ hasText: /^\s*Trust\s*$/ })
      .first()
      .click();
    await told.promise;
    assert.deepEqual(await namesOf(client), core);
    assert.match(await ask(client, 'loom_op_write', { op: 'ctx_profile', arguments: {} }), /^The profile is /);
  },
});

/** Loom's VSIX in `profile`, in a window in restricted mode. */
export const inRestrictedMode = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  const endpoint = join(scope.folder('endpoint'), 'endpoint.json');
  const settings = { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' };
  const env = { [endpointVariable]: endpoint };
  const code = await startCode(scope, { ...profile, settings, workspaceTrust: true, env });
  const page = await openPage(scope, { viewport: { width: 1400, height: 900 } });
  const extension = teller(scope);
  const enter = async (): Promise<Client> => {
    rmSync(endpoint, { force: true });
    await openWorkbench(page, code, scope.folder('untrusted'), underDevelopment(code, extension));
    await until('the address of Loom', patience, () => existsSync(endpoint));
    return connected(scope, JSON.parse(readFileSync(endpoint, 'utf8')) as Endpoint);
  };
  return testsInPage(page, async () => undefined, restrictedTests(page, enter));
};
