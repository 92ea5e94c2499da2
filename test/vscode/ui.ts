import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '#scripts/browser.ts';
import type { Profile } from '#scripts/codeServer.ts';
import type { Scope } from '#scripts/scope.ts';
import { startCode } from '#scripts/startCode.ts';
import { openFile, openWorkbench, quickInput, quickRows, runCommand, webview } from '#scripts/workbench.ts';
import { testsInPage } from './inPage.ts';
import type { Result } from './report.ts';
import type { Tests } from './runTests.ts';

const log = `${'10:00:00 INFO tick\n'.repeat(900)}10:15:00 ERROR the flux capacitor is empty\n${'10:15:01 INFO tick\n'.repeat(900)}`;

const uiTests = (page: Page, faults: readonly string[]): Tests => ({
  'the sidebar renders': async () => {
    await page.locator('.activitybar [aria-label="Loom"]').first().click();
    await webview(page).getByText('Ledger').first().waitFor({ timeout: 45_000 });
    assert.deepEqual(faults, []);
  },

  'the file in the editor is stored, found by Loom: Search Drawer…, and opened at the hit': async () => {
    await openFile(page, 'engine.log');
    await runCommand(page, 'Loom: Store Active File');
    await runCommand(page, 'Loom: Search Drawer…');
    await quickInput(page).fill('flux capacitor');
    await quickRows(page).filter({ hasText: 'flux capacitor' }).first().waitFor({ timeout: 20_000 });
    await page.keyboard.press('Enter');
    const hit = page.locator('.editor-instance[data-uri^="loom:"], .monaco-editor[data-uri^="loom:"]').first();
    await hit.locator('.view-line', { hasText: 'flux capacitor' }).waitFor({ timeout: 20_000 });
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
  const code = await startCode(scope, profile);
  const page = await (await openBrowser(scope)).newPage();
  const faults = faultsIn(page);
  await openWorkbench(page, code, folder);
  return testsInPage(page, uiTests(page, faults));
};
