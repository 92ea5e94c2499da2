import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Page } from 'playwright-core';
import { openBrowser } from '#scripts/browser.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { focusTitle } from '#scripts/manifest.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode, type Code } from '#scripts/startCode.ts';
import { until } from '#scripts/until.ts';
import { openFile, openWorkbench, quickInput, quickRows, runCommand, webview } from '#scripts/workbench.ts';
import { logText } from '../bench/corpus.ts';
import { ownerOf } from './drawerOwner.ts';
import { testsInPage } from './inPage.ts';
import { root } from './install.ts';
import type { Result } from './report.ts';
import type { Tests } from './runTests.ts';

const longMs = 300_000;

/** `loom mcp` as another client starts it, on the drawer of these windows. */
const startLoom = async (scope: Scope, drawer: string, cwd: string) => {
  const client = new Client({ name: 'beside', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'dist/cli.cjs'), 'mcp'],
    cwd,
    env: { ...(process.env as Record<string, string>), LOOM_DB: drawer, LOOM_LOG_LEVEL: 'ERROR' },
    stderr: 'inherit',
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  scope.defer(() => client.close());
  return async (tool: string, args: Record<string, unknown>, onStep?: (share: number) => void): Promise<string> => {
    const options = {
      timeout: longMs,
      ...(onStep && { onprogress: (step: { progress: number }) => onStep(step.progress) }),
    };
    const answer = await client.callTool({ name: tool, arguments: args }, undefined, options);
    return (answer.content as { text: string }[]).map(({ text }) => text).join('\n');
  };
};
type Loom = Awaited<ReturnType<typeof startLoom>>;

const storeOpenFile = async (page: Page, name: string): Promise<void> => {
  await openFile(page, name);
  await runCommand(page, 'Loom: Store Active File');
  await page
    .getByText(new RegExp(`stored ${name} as d\\d+`))
    .first()
    .waitFor({ timeout: 60_000 });
};

/** The palette of this window finds `words`. */
const finds = async (page: Page, words: string): Promise<void> => {
  await until(`a hit for ${words}`, 60, async () => {
    await runCommand(page, 'Loom: Search Drawer…');
    await quickInput(page).fill(words);
    const hit = quickRows(page).filter({ hasText: words }).first();
    return hit.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  });
  await page.keyboard.press('Escape');
};

type Scene = { scope: Scope; first: Page; second: Page; drawer: string; folder: string; beside: Loom };

const windowTests = ({ scope, first, second, drawer, folder, beside }: Scene): Tests => ({
  'what one stores, the others show at once': async () => {
    await runCommand(second, focusTitle(root, 'loom.sidebar'));
    await webview(second).getByText('Ledger').first().waitFor({ timeout: 60_000 });
    await storeOpenFile(first, 'first.log');
    await webview(second).getByText('first.log').first().waitFor({ timeout: 30_000 });
    const anchor = await beside('ctx_store_file', { path: 'beside.log' });
    assert.match(anchor, /^d\d+ beside\.log/);
    await webview(second).getByText('beside.log').first().waitFor({ timeout: 30_000 });
    await finds(first, 'walrus parade');
    // Its own session only: what a person stored in the window is another client's.
    assert.match(
      await beside('ctx_search', { query: 'zebra crossing' }),
      /^No match .* Not searched: \d+ documents? of other sessions/,
    );
  },

  'a killed owner: the others go on': async () => {
    const owner = ownerOf(drawer);
    const before = performance.now();
    process.kill(owner, 'SIGKILL');
    assert.match(await beside('ctx_search', { query: 'walrus parade' }), /walrus parade/);
    console.log(`       the stall after the owner was killed: ${Math.round(performance.now() - before)} ms`);
    await finds(second, 'zebra crossing');
    await finds(first, 'walrus parade');
  },

  'an owner killed in the middle of a store of 50 MB: nothing is lost': async () => {
    const text = logText(50 * 2 ** 20, 7);
    writeFileSync(join(folder, 'big.log'), text);
    const storing = await startLoom(scope, drawer, folder);
    let killed: number | undefined;
    const anchor = await storing('ctx_store_file', { path: 'big.log' }, (share) => {
      if (share < 0.6 || killed !== undefined) return;
      killed = performance.now();
      process.kill(ownerOf(drawer), 'SIGKILL');
    });
    assert(killed !== undefined, 'the owner was not killed');
    console.log(`       the store went on, and ended ${Math.round(performance.now() - killed)} ms later`);
    const id = /^d\d+/.exec(anchor)?.[0];
    assert(id, anchor.slice(0, 300));
    const all = text.split('\n');
    for (const line of [1, 1_000, 200_000, all.length - 1]) {
      const got = await storing('ctx_get', { id, lines: `${line}-${line}` });
      assert.equal(got.slice(got.indexOf('\n') + 1), `${all[line - 1]}\n`);
    }
    await finds(second, 'zebra crossing');
  },
});

const openWindow = async (scope: Scope, code: Code, folder: string): Promise<Page> => {
  const page = await (await openBrowser(scope)).newPage();
  await openWorkbench(page, code, folder);
  return page;
};

const logWith = (words: string): string => `${'10:00:00 INFO tick\n'.repeat(900)}10:15:00 ERROR ${words}\n`;

/** Two windows on one profile with the VSIX, and `loom mcp` beside them, over one drawer. */
export const inTwoWindows = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  const [folder, other] = [scope.folder('workspace'), scope.folder('other')];
  writeFileSync(join(folder, 'first.log'), logWith('zebra crossing'));
  writeFileSync(join(folder, 'beside.log'), logWith('walrus parade'));
  const code = await startCode(scope, profile);
  const first = await openWindow(scope, code, folder);
  await runCommand(first, focusTitle(root, 'loom.sidebar'));
  await webview(first).getByText('Ledger').first().waitFor({ timeout: 60_000 });
  const second = await openWindow(scope, code, other);
  const drawer = join(profile.data, 'User/globalStorage/loom.loom/drawer');
  const beside = await startLoom(scope, drawer, folder);
  return testsInPage(first, windowTests({ scope, first, second, drawer, folder, beside }));
};
