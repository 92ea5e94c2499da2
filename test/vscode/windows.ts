import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Page } from 'playwright-core';
import { openPage } from '#scripts/browser.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { focusTitle } from '#scripts/manifest.ts';
import { patience } from '#scripts/patience.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode, type Code } from '#scripts/startCode.ts';
import { again } from '#scripts/until.ts';
import { openWorkbench, quickInput, quickRows, runCommand, webview } from '#scripts/workbench.ts';
import { logText } from '../bench/corpus.ts';
import { unfenced } from '#drawer/tools/fenced.ts';
import { storeOpenFile } from './acts.ts';
import { afresh } from './afresh.ts';
import { ownerOf } from './drawerOwner.ts';
import { testsInPage } from './inPage.ts';
import { root } from './install.ts';
import { logsIn } from './logs.ts';
import type { Result } from './report.ts';
import type { Tests } from './runTests.ts';

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
  const timeout = patience * 1000;
  await client.connect(transport as Parameters<Client['connect']>[0], { timeout });
  scope.defer(() => client.close());
  return async (tool: string, args: Record<string, unknown>, onStep?: (share: number) => void): Promise<string> => {
    const options = {
      timeout,
      ...(onStep && { onprogress: (step: { progress: number }) => onStep(step.progress) }),
    };
    const answer = await client.callTool({ name: tool, arguments: args }, undefined, options);
    return (answer.content as { text: string }[]).map(({ text }) => text).join('\n');
  };
};
type Loom = Awaited<ReturnType<typeof startLoom>>;

/** The palette of this window finds `words`. */
const finds = async (page: Page, words: string): Promise<void> => {
  await again(`a hit for ${words}`, async (timeout) => {
    await runCommand(page, 'Loom: Search Drawer…');
    await quickInput(page).fill(words, { timeout });
    await quickRows(page).filter({ hasText: words }).first().waitFor({ timeout });
  });
  await page.keyboard.press('Escape');
};

/** `newText` is another one each time, or the drawer would have the second already. */
type Scene = {
  first: Page;
  second: Page;
  drawer: string;
  folder: string;
  newLog: (words: string) => string;
  newText: () => string;
  /** Each test has a client of its own: it may not be the one whose process is killed. */
  startBeside: () => Promise<Loom>;
};

const windowTests = ({ first, second, drawer, folder, newLog, newText, startBeside }: Scene): Tests => ({
  'what one stores, the others show at once': async () => {
    const beside = await startBeside();
    const [mine, its] = [newLog('zebra crossing'), newLog('walrus parade')];
    await runCommand(second, focusTitle(root, 'loom.sidebar'));
    await webview(second).getByText('Ledger').first().waitFor();
    await storeOpenFile(first, mine);
    await webview(second).getByText(mine).first().waitFor();
    assert.match(await beside('ctx_store_file', { path: its }), new RegExp(`^d\\d+ ${its}`));
    await webview(second).getByText(its).first().waitFor();
    await finds(first, 'walrus parade');
    // Its own session only: what a person stored in the window is another client's.
    assert.match(
      await beside('ctx_search', { query: 'zebra crossing' }),
      /^No match .* Not searched: \d+ documents? of other sessions/,
    );
  },

  'a killed owner: the others go on': async () => {
    const beside = await startBeside();
    await storeOpenFile(first, newLog('zebra crossing'));
    await beside('ctx_store_file', { path: newLog('walrus parade') });
    const before = performance.now();
    process.kill(ownerOf(drawer), 'SIGKILL');
    assert.match(await beside('ctx_search', { query: 'walrus parade' }), /walrus parade/);
    console.log(`       the stall after the owner was killed: ${Math.round(performance.now() - before)} ms`);
    await finds(second, 'zebra crossing');
    await finds(first, 'walrus parade');
  },

  'an owner killed in the middle of a store of 50 MB: nothing is lost': async () => {
    await storeOpenFile(first, newLog('zebra crossing'));
    const text = newText();
    writeFileSync(join(folder, 'big.log'), text);
    const storing = await startBeside();
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
      assert.equal(unfenced(got).text, `${all[line - 1]}\n`);
    }
    await finds(second, 'zebra crossing');
  },
});

const openWindow = async (scope: Scope, code: Code, folder: string): Promise<Page> => {
  const page = await openPage(scope);
  await openWorkbench(page, code, folder);
  return page;
};

/** Two windows on one profile with the VSIX, and `loom mcp` beside them, over one drawer. */
export const inTwoWindows = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  const [folder, other] = [scope.folder('workspace'), scope.folder('other')];
  const code = await startCode(scope, profile);
  const first = await openWindow(scope, code, folder);
  await runCommand(first, focusTitle(root, 'loom.sidebar'));
  await webview(first).getByText('Ledger').first().waitFor();
  const second = await openWindow(scope, code, other);
  const drawer = join(profile.data, 'User/globalStorage/loom.loom/drawer');
  let seed = 7;
  const scene = {
    first,
    second,
    drawer,
    folder,
    newLog: logsIn(folder),
    newText: () => logText(50 * 2 ** 20, seed++),
    startBeside: () => startLoom(scope, drawer, folder),
  };
  const bothAfresh = async (): Promise<void> => {
    for (const page of [first, second]) await afresh(page);
  };
  return testsInPage(first, bothAfresh, windowTests(scene));
};
