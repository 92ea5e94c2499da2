import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage } from '#scripts/browser.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { patience } from '#scripts/patience.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode } from '#scripts/startCode.ts';
import { until } from '#scripts/until.ts';
import { openWorkbench, quickInput, quickRows, runCommand, webview } from '#scripts/workbench.ts';
import { runFirstLine, storeOpenFile } from './acts.ts';
import { afresh } from './afresh.ts';
import { filesHolding } from './drawerFiles.ts';
import { testsInPage } from './inPage.ts';
import { paletteTests } from './palette.ts';
import type { Result } from './report.ts';
import type { Tests } from './runTests.ts';
import { settingsWithout, writeSettings } from './settingsFile.ts';

const log = `${'10:00:00 INFO tick\n'.repeat(900)}10:15:00 ERROR the flux capacitor is empty\n${'10:15:01 INFO tick\n'.repeat(900)}`;

const cell =
  'print("\\n".join(f"step {n} has the kernel needle" if n == 1234 else f"step {n}" for n in range(2000))) or 7\n';

type Scene = { page: Page; profile: Profile; faults: readonly string[]; reload: () => Promise<void> };

const uiTests = ({ page, profile, faults, reload }: Scene): Tests => ({
  'the sidebar renders': async () => {
    // A click on the one that is shown would hide it.
    await runCommand(page, 'File: Focus on Files Explorer');
    await page.locator('.activitybar [aria-label="Loom"]').first().click();
    await webview(page).getByText('Ledger').first().waitFor();
    assert.deepEqual(faults, []);
  },

  'the file in the editor is stored, found by Loom: Search Drawer…, and opened at the hit': async () => {
    await storeOpenFile(page, 'engine.log');
    await runCommand(page, 'Loom: Search Drawer…');
    await quickInput(page).fill('flux capacitor');
    await quickRows(page).filter({ hasText: 'flux capacitor' }).first().waitFor();
    await page.keyboard.press('Enter');
    const hit = page.locator('.editor-instance[data-uri^="loom:"], .monaco-editor[data-uri^="loom:"]').first();
    await hit.locator('.view-line', { hasText: 'flux capacitor' }).waitFor();
  },

  'encryption by the setting, both ways: the recovery key is shown, and decrypting asks': async () => {
    const drawer = join(profile.data, 'User/globalStorage/loom.loom/drawer');
    const settings = settingsWithout(profile, 'loom.encryption');
    const dialog = page.locator('.monaco-dialog-box');
    const inTheClear = (): boolean => filesHolding(drawer, 'engine.log').length > 0;
    const decrypt = async (): Promise<void> => {
      await writeSettings(page, profile, settings);
      await dialog.getByText('unencrypted').waitFor();
      await dialog.getByRole('button', { name: 'Decrypt' }).click();
      await until('the drawer in the clear', patience, inTheClear);
    };
    await storeOpenFile(page, 'engine.log');
    // From a first try.
    if (!inTheClear()) await decrypt();
    await writeSettings(page, profile, { ...settings, 'loom.encryption': 'secretStorage' });
    await dialog.getByText(/^([0-9A-Z]{4}-){7}[0-9A-Z]{4}/).waitFor();
    await page.keyboard.press('Escape');
    assert(!inTheClear());
    await decrypt();
  },

  'a line runs in the kernel; after a window reload numbers go on and its output is found': async () => {
    const before = await runFirstLine(page, 'cell.py');
    await reload();
    await afresh(page);
    const after = await runFirstLine(page, 'cell.py');
    assert(after > before, `${after} after ${before}`);
    await runCommand(page, 'Loom: Search Drawer…');
    await quickInput(page).fill('kernel needle');
    await quickRows(page)
      .filter({ hasText: `In [${before}] output` })
      .first()
      .waitFor();
  },
});

/** What the page's own rules or code complain about, if it is ours. */
const faultsIn = (page: Page): readonly string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && /loom/i.test(text) && /Refused|Uncaught|violates/.test(text)) faults.push(text);
  });
  return faults;
};

/** The tests that see Loom as a person does: the VSIX in `profile`, in the workbench. */
export const inWorkbench = async (scope: Scope, profile: Profile): Promise<Result[]> => {
  const folder = scope.folder('workspace');
  writeFileSync(join(folder, 'engine.log'), log);
  writeFileSync(join(folder, 'cell.py'), cell);
  const code = await startCode(scope, profile);
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await openPage(scope, { permissions });
  const faults = faultsIn(page);
  await openWorkbench(page, code, folder);
  const reload = (): Promise<void> => openWorkbench(page, code, folder);
  const tests = { ...uiTests({ page, profile, faults, reload }), ...paletteTests({ page, folder, profile }) };
  return testsInPage(page, () => afresh(page), tests);
};
