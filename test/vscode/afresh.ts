import type { Page } from 'playwright-core';
import { again } from '#scripts/until.ts';
import { runCommand } from '#scripts/workbench.ts';

/** Takes a workbench to where any test may begin: nothing asks, no editor is open, no notification waits. */
export const afresh = async (page: Page): Promise<void> => {
  const asking = page.locator('.monaco-dialog-box:visible, .quick-input-widget:visible, .monaco-menu:visible');
  await again('a workbench that asks nothing', async (timeout) => {
    if ((await asking.count()) > 0) await page.keyboard.press('Escape');
    await asking.first().waitFor({ state: 'hidden', timeout });
  });
  const tabs = page.locator('.tabs-container .tab');
  const unsaved = tabs.and(page.locator('.dirty')).first();
  if (await unsaved.isVisible()) {
    await unsaved.click();
    await runCommand(page, 'File: Revert File');
    await unsaved.waitFor({ state: 'hidden' });
  }
  if ((await tabs.count()) > 0) await runCommand(page, 'View: Close All Editors');
  await tabs.first().waitFor({ state: 'hidden' });
  await runCommand(page, 'Notifications: Clear All Notifications');
};
