import type { FrameLocator, Page } from 'playwright-core';
import { patience } from './patience.ts';
import type { Code } from './startCode.ts';
import { again, until } from './until.ts';

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

/** Waits until the workbench in `page` has restored its editors and views. */
const restored = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => (globalThis as Driven).driver);
  await page.evaluate(() => (globalThis as Driven).driver?.whenWorkbenchRestored());
};

/** Opens the workbench in `page`, with all that it restores. */
export const openWorkbench = async (page: Page, code: Code, folder: string, payload?: Payload): Promise<void> => {
  await page.goto(workbenchAddress(code, folder, payload));
  await restored(page);
};

/** The rows of the palette, of a pick or of a search. */
export const quickRows = (page: Page): ReturnType<Page['locator']> =>
  page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');

export const quickInput = (page: Page): ReturnType<Page['locator']> =>
  page.locator('.quick-input-widget:visible input.input').first();

/** Opens a quick input by `key` and types `text`. */
export const askQuickly = async (page: Page, key: string, text: string, timeout: number): Promise<void> => {
  // Where none is open, it would be for whatever has the focus.
  if (await quickInput(page).isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press(key);
  await quickInput(page).fill(text, { timeout });
};

/**
 * Opens a quick input by `key`, types `text` and takes the row that shows `row`. It begins anew until that row is there:
 * a list holds what was known when it opened, and a key pressed before the workbench listens is lost.
 */
const pick = async (page: Page, key: string, text: string, row: string): Promise<void> => {
  const found = quickRows(page).filter({ hasText: row }).first();
  await again(`${row} in a list`, async (timeout) => {
    await askQuickly(page, key, text, timeout);
    await found.waitFor({ timeout });
  });
  await found.click();
};

/** Runs a command from the palette by its title, as a person would; an extension that brings it may still be loading. */
export const runCommand = (page: Page, title: string): Promise<void> => pick(page, 'F1', `>${title}`, title);

/** Reloads the window as a person does: unlike a page that is simply loaded anew, it first keeps how everything is. */
export const reloadWindow = async (page: Page): Promise<void> => {
  await Promise.all([page.waitForEvent('load'), runCommand(page, 'Developer: Reload Window')]);
  await restored(page);
};

/** Opens a file of the workspace in an editor. */
export const openFile = async (page: Page, name: string): Promise<void> => {
  await pick(page, 'ControlOrMeta+P', name, name);
  await page.locator('.tab.active', { hasText: name }).waitFor();
};

/** The document inside the webview that is shown; the first one takes some seconds. */
export const webview = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

/** A part of a page, in pixels. */
export type Clip = { x: number; y: number; width: number; height: number };

/** A picture of the page, or a part of it, once two in a row are the same: nothing loads or moves any more. */
export const settled = async (page: Page, clip?: Clip): Promise<Buffer> => {
  const options = clip === undefined ? {} : { clip };
  let last = await page.screenshot(options);
  return until('the page to come to rest', patience, async () => {
    const next = await page.screenshot(options);
    const same = next.equals(last);
    last = next;
    return same && next;
  });
};
