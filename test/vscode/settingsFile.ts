import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { Profile } from '#scripts/codeServer.ts';
import { again, until } from '#scripts/until.ts';
import { runCommand } from '#scripts/workbench.ts';

type Settings = Record<string, unknown>;

/** The person's settings, as they are on disk, without those named. */
export const settingsWithout = ({ data }: Profile, ...names: readonly string[]): Settings => {
  const all = JSON.parse(readFileSync(join(data, 'User/settings.json'), 'utf8')) as Settings;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
};

const onDisk = (profile: Profile, settings: Settings): boolean => {
  try {
    return isDeepStrictEqual(settingsWithout(profile), settings);
  } catch {
    // Half written.
    return false;
  }
};

/** Writes the settings, as a person does, in the editor of their file. */
export const writeSettings = async (page: Page, profile: Profile, settings: Settings): Promise<void> => {
  await runCommand(page, 'Preferences: Open User Settings (JSON)');
  const editor = page.locator(
    '.monaco-editor[data-uri$="/settings.json"], .editor-instance[data-uri$="/settings.json"]',
  );
  await again('settings on disk', async (timeout) => {
    // Not on a line: a long one may be scrolled away under the margin.
    await editor.first().locator('.editor-scrollable').first().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify(settings));
    // The editor closes brackets by itself.
    await page.keyboard.press('ControlOrMeta+Shift+End');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ControlOrMeta+S');
    await until('settings on disk', timeout / 1000, () => onDisk(profile, settings));
  });
};
