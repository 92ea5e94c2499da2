import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { openPage } from '#scripts/browser.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { focusTitle } from '#scripts/manifest.ts';
import { patience } from '#scripts/patience.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode } from '#scripts/startCode.ts';
import { until } from '#scripts/until.ts';
import { openWorkbench, reloadWindow, runCommand } from '#scripts/workbench.ts';
import { runFirstLine, storeOpenFile } from './acts.ts';
import { afresh } from './afresh.ts';
import { testsInPage } from './inPage.ts';
import { root } from './install.ts';
import { logsIn } from './logs.ts';
import type { Result } from './report.ts';
import type { Tests } from './runTests.ts';
import { seedLedger } from './seedLedger.ts';

/** The page of one of our views, wherever VS Code has put it. */
export const viewFrame = (page: Page, view: 'sidebar' | 'panel'): Promise<Frame> =>
  until(`the ${view}`, patience, async () => {
    for (const frame of page.frames()) {
      // Frames come and go while one looks.
      const found = await frame
        .locator(`#view.${view}`)
        .count()
        .catch(() => 0);
      if (found > 0) return frame;
    }
    return undefined;
  });

type Scene = { page: Page; faults: readonly string[]; newLog: (words: string) => string };

const panelTests = ({ page, faults, newLog }: Scene): Tests => {
  const panel = (): Promise<Frame> => viewFrame(page, 'panel');
  const sees = async (view: 'sidebar' | 'panel', text: string | RegExp): Promise<void> =>
    (await viewFrame(page, view)).getByText(text).filter({ visible: true }).first().waitFor();
  const search = async (words: string): Promise<void> => {
    await runCommand(page, 'Loom: Open Drawer');
    await (await panel()).getByRole('searchbox', { name: 'Search in the content' }).fill(words);
  };
  const tabs = () => page.locator('.tabs-container .tab').filter({ hasText: /^Loom$/ });
  const editor = (scheme: string) =>
    page.locator(`.editor-instance[data-uri^="${scheme}:"], .monaco-editor[data-uri^="${scheme}:"]`).first();
  return {
    'the ledger of 100,000 entries opens and scrolls to its end': async () => {
      await runCommand(page, focusTitle(root, 'loom.sidebar'));
      await sees('sidebar', 'Loom cost more than it kept out');
      await runCommand(page, 'Loom: Open Ledger');
      await sees('panel', '100,000 entries');
      const list = (await panel()).getByRole('grid', { name: 'Ledger' });
      await list.press('End');
      await list.locator('[aria-rowindex="100001"]', { hasText: 'ctx_get' }).waitFor();
      await (
        await panel()
      )
        .getByRole('region', { name: 'Details' })
        .filter({ visible: true })
        .getByText('seeded')
        .waitFor();
      await list.press('Home');
      await list.locator('[aria-rowindex="2"]', { hasText: 'answer' }).waitFor();
    },

    'there is one panel, whichever command opens it': async () => {
      await runCommand(page, 'Loom: Open Ledger');
      await sees('panel', '100,000 entries');
      await runCommand(page, 'Loom: Open Drawer');
      await sees('panel', 'The drawer is empty.');
      assert.equal(await tabs().count(), 1);
    },

    'what is stored shows in the sidebar and in the panel; hidden meanwhile, the panel comes back with it':
      async () => {
        await runCommand(page, focusTitle(root, 'loom.sidebar'));
        await runCommand(page, 'Loom: Open Drawer');
        for (const file of [newLog('zebra crossing'), newLog('walrus parade')]) {
          await storeOpenFile(page, file);
          await sees('sidebar', file);
          await tabs().click();
          await sees('panel', file);
        }
      },

    'a search as one types opens the hit at its line': async () => {
      await storeOpenFile(page, newLog('zebra crossing'));
      await search('zebra crossing');
      await (
        await panel()
      )
        .getByRole('row', { name: /zebra crossing/ })
        .first()
        .dblclick();
      await editor('loom').locator('.view-line', { hasText: 'zebra crossing' }).waitFor();
      await page.getByRole('button', { name: /^Ln 901, Col 1/ }).waitFor();
    },

    'after a window reload the panel is there, with its tab, its search and what it found': async () => {
      const [found, other] = [newLog('zebra crossing'), newLog('walrus parade')];
      for (const file of [found, other]) await storeOpenFile(page, file);
      await search('zebra crossing');
      await sees('panel', 'zebra crossing');
      await reloadWindow(page);
      await sees('panel', 'zebra crossing');
      assert.equal(await tabs().count(), 1);
      const field = (await panel()).getByRole('searchbox', { name: 'Search in the content' });
      assert.equal(await field.inputValue(), 'zebra crossing');
      await field.fill('');
      await sees('panel', other);
    },

    'a cell that was run shows with its output': async () => {
      const number = await runFirstLine(page, 'cell.py');
      await runCommand(page, 'Loom: Open Drawer');
      const shown = await panel();
      await shown.getByRole('tab', { name: 'Kernel' }).click();
      await shown.getByRole('row', { name: `In [${number}] completed` }).click();
      await shown.getByRole('button', { name: 'Open All Output' }).click();
      await editor('loom-stream').locator('.view-line', { hasText: 'step 1' }).first().waitFor();
    },

    'nothing was refused by the pages’ policy, and nothing failed in them': async () => {
      assert.deepEqual(faults, []);
    },
  };
};

/** What the browser says of our pages: a fault of theirs, or something that their policy refused. */
const faultsIn = (page: Page): readonly string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || !/Refused|Uncaught|violates/.test(text)) return;
    if (/loom/i.test(`${text} ${message.location().url}`)) faults.push(text);
  });
  return faults;
};

/** The panel as a person sees it: the VSIX in `profile`, over a ledger of 100,000 entries. */
export const inPanel = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  const folder = scope.folder('panel-workspace');
  writeFileSync(join(folder, 'cell.py'), 'print("\\n".join(f"step {n}" for n in range(2000)))\n');
  const drawer = join(profile.data, 'User/globalStorage/loom.loom/drawer');
  mkdirSync(drawer, { recursive: true });
  await seedLedger(drawer, folder, 100_000);
  const code = await startCode(scope, profile);
  const page = await openPage(scope);
  const faults = faultsIn(page);
  await openWorkbench(page, code, folder);
  return testsInPage(page, () => afresh(page), panelTests({ page, faults, newLog: logsIn(folder) }));
};
