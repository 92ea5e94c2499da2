import type { Page } from 'playwright-core';
import { runCommand } from '#scripts/workbench.ts';

/** Writes the settings, as a person does, in the editor of their file. */
export const writeSettings = async (page: Page, settings: object): Promise<void> => {
  await runCommand(page, 'Preferences: Open User Settings (JSON)');
  const editor = page.locator(
    '.monaco-editor[data-uri$="/settings.json"], .editor-instance[data-uri$="/settings.json"]',
  );
  // Not on a line: a long one may be scrolled away under the margin.
  await editor.first().locator('.editor-scrollable').first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(JSON.stringify(settings));
  // The editor closes brackets by itself.
  await page.keyboard.press('ControlOrMeta+Shift+End');
  await page.keyboard.press('Delete');
  await page.keyboard.press('ControlOrMeta+S');
};
