import type { FrameLocator, Page } from 'playwright-core';
import type { Code } from './startCode.ts';
import { until } from './until.ts';

type Payload = readonly (readonly [key: string, value: string])[];

/** Where a browser finds the workbench with `folder` open. `payload` is what a desktop's command line would say. */
export const workbenchAddress = (code: Code, folder: string, payload: Payload = []): string => {
  const address = new URL(code.url);
  address.searchParams.set('folder', folder);
  if (payload.length > 0) address.searchParams.set('payload', JSON.stringify(payload));
  return address.href;
};

/** `file` as the workbench names it. */
export const remote = (code: Code, file: string): string => `vscode-remote://${new URL(code.url).host}${file}`;

/** The payload that loads an extension from its sources' folder. */
export const underDevelopment = (code: Code, folder: string): Payload => [
  ['extensionDevelopmentPath', remote(code, folder)],
];

type Driven = { driver?: { whenWorkbenchRestored: () => Promise<void> } };

/** Opens the workbench in `page` and waits until it has restored its editors and views. */
export const openWorkbench = async (page: Page, code: Code, folder: string, payload?: Payload): Promise<void> => {
  await page.goto(workbenchAddress(code, folder, payload));
  await page.waitForFunction(() => (globalThis as Driven).driver, undefined, { timeout: 60_000 });
  await page.evaluate(() => (globalThis as Driven).driver?.whenWorkbenchRestored());
};

/** The rows of the palette, of a pick or of a search. */
export const quickRows = (page: Page): ReturnType<Page['locator']> =>
  page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');

export const quickInput = (page: Page): ReturnType<Page['locator']> =>
  page.locator('.quick-input-widget:visible input.input').first();

/**
 * Runs a command from the palette as a person would: by its title, or by its id, which the palette takes where it stands
 * alone. It waits for the command to be there: an extension may still be on its way.
 */
export const runCommand = async (page: Page, command: string): Promise<void> => {
  const byId = /^[\w-]+(\.[\w-]+)+$/.test(command);
  await until(`the command ${command}`, 60, async () => {
    // The palette lists what there was when it opened, and a keypress before the workbench listens is lost.
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    const appeared = await quickInput(page)
      .fill(`>${command}`, { timeout: 2_000 })
      .then(
        () => true,
        () => false,
      );
    if (!appeared) return false;
    const rows = byId ? quickRows(page) : quickRows(page).filter({ hasText: command });
    const listed = async (): Promise<boolean> => (await rows.count()) === 1 || (!byId && (await rows.count()) > 0);
    const found = await until('a row', 2, listed).catch(() => false);
    return found && !(await rows.first().innerText()).includes('No matching');
  });
  await page.keyboard.press('Enter');
};

/** The document inside the webview that is shown; the first one takes some seconds. */
export const webview = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

/** Opens a file of the workspace in an editor. */
export const openFile = async (page: Page, name: string): Promise<void> => {
  const row = quickRows(page).filter({ hasText: name });
  await until(`the file ${name}`, 30, async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+P');
    return quickInput(page)
      .fill(name, { timeout: 2_000 })
      .then(() => row.first().waitFor({ timeout: 2_000 }))
      .then(
        () => true,
        () => false,
      );
  });
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: name }).waitFor();
};
