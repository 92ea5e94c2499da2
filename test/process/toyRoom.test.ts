import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOver, remove, scratch, type TestClient } from '../fixtures.ts';
import { openBrowser } from '#scripts/browser.ts';
import { scoped } from '#scripts/scope.ts';
import type { Words } from '#vscode/views/words.ts';
import { fakeHost } from '../browser/panelHost.ts';
import { panel } from '../browser/snapshots.ts';
import { openPage } from '../browser/webviewPage.ts';
import { buildToy, run } from '../toy/build.ts';

let folder: string;
let drawer: string;
let client: TestClient;

const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const env = (more: Record<string, string> = {}): Record<string, string> => ({
  ...(process.env as Record<string, string>),
  LOOM_DB: drawer,
  ...more,
});

beforeAll(async () => {
  folder = await buildToy();
  drawer = scratch();
  client = await clientOver(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'dist/cli.cjs'), 'mcp'],
      env: env({ LOOM_MCP_TOOLSET: 'toy+drawer' }),
    }),
  );
}, 300_000);
afterAll(async () => {
  await client?.close();
  remove(dirname(folder), drawer);
});

test('it type-checks, and breaks no wall', async () => {
  await run(folder, 'tsc', '-p', '.');
  await run(folder, 'tsc', '-p', 'webview');
  await run(folder, 'node', 'scripts/structure.ts');
}, 300_000);

test('its tool is listed, and reaches its worker and its table', async () => {
  const { tools } = await client.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('toy_add');
  expect(await client.ask('toy_add', { word: 'loom' })).toBe('mool is word 1');
});

test('its setting is a cap, its error is in the table, and its rows end with the session', async () => {
  expect(await client.ask('toy_add', { word: 'warp' })).toBe('praw is word 2');
  const refused = await client.call('toy_add', { word: 'weft' });
  expect(refused.isError).toBe(true);
  expect(refused.content[0]?.text).toContain('Error TOY_FULL (limit,');
  await client.ask('ctx_purge_session', { confirm: true });
  expect(await client.ask('toy_add', { word: 'weft' })).toBe('tfew is word 1');
});

test('what is derived has it: manifest, words, docs', () => {
  const { contributes } = JSON.parse(read('package.json')) as {
    contributes: {
      commands: { command: string }[];
      configuration: { properties: Record<string, { default: number }> };
    };
  };
  expect(contributes.commands.map(({ command }) => command)).toContain('loom.toy.turn');
  expect(contributes.configuration.properties['loom.toy.mostWords']?.default).toBe(2);
  expect(JSON.stringify(contributes.configuration.properties['loom.toolset'])).toContain('drawer+toy');
  expect(read('package.nls.json')).toContain('Turn a Word');
  expect(read('docs/tools.md')).toContain('## `toy_add`');
  expect(read('docs/errors.md')).toContain('`TOY_FULL`');
  expect(read('docs/loom.md')).toContain('`LOOM_TOY_WORDS`');
});

const wordsOf = `
  const [{ viewWords }, rooms] = await Promise.all([import('#vscode/views/words.ts'), import('#vscode/rooms.ts')]);
  console.log(JSON.stringify(viewWords({ t: (words) => words }, rooms)));`;

test('its tab stands in the panel, asks its question, says its words and runs its command', async () => {
  const stubbed = ['--import', './scripts/withoutVscode.ts', '--input-type=module', '-e', wordsOf];
  const words = JSON.parse(await run(folder, 'node', ...stubbed)) as Words;
  await scoped(async (scope) => {
    const browser = await openBrowser(scope);
    const host = { ...fakeHost({ documents: 0, executions: 0, entries: 0 }), 'toy.words': () => ['loom', 'warp'] };
    const view = await openPage(browser, { view: 'panel', host, build: { dist: join(folder, 'dist'), words } });
    await view.send({ kind: 'snapshot', snapshot: panel });
    await view.page.getByRole('tab', { name: 'Toy' }).click();
    await view.page.getByText('warp').waitFor();
    await view.page.getByRole('button', { name: 'Turn It' }).last().click();
    await expect.poll(view.posted).toContainEqual({ kind: 'runCommand', command: 'loom.toy.turn', args: ['warp'] });
    expect(view.complaints).toEqual([]);
  });
}, 120_000);

test('its verb runs', async () => {
  expect(await run(folder, 'node', 'dist/cli.cjs', 'turn', 'weave')).toBe('evaew\n');
  expect(await run(folder, 'node', 'dist/cli.cjs', '--help')).toContain('LOOM_TOY_WORDS');
});

test('its route streams, behind the same door', async () => {
  const tokens = { LOOM_TOKEN: 'a'.repeat(32), LOOM_TOKEN_READONLY: 'b'.repeat(32) };
  const child = spawn(process.execPath, [join(folder, 'dist/cli.cjs'), 'serve', '--port', '0'], { env: env(tokens) });
  try {
    let url = '';
    for await (const line of createInterface(child.stderr)) {
      url = /http:\S+(?=\/mcp)/.exec(line)?.[0] ?? '';
      if (url !== '') break;
    }
    const post = (token?: string): Promise<Response> =>
      fetch(`${url}/toy`, { method: 'POST', body: 'loom', headers: token ? { authorization: `Bearer ${token}` } : {} });
    expect((await post()).status).toBe(401);
    expect(await (await post(tokens.LOOM_TOKEN)).text()).toBe('mool');
    expect(await (await post(tokens.LOOM_TOKEN_READONLY)).text()).toBe('mool (only reads)');
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
