import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Profile } from '#scripts/codeServer.ts';
import { patience } from '#scripts/patience.ts';
import { again, until } from '#scripts/until.ts';
import { askQuickly, quickInput, quickRows, runCommand, webview } from '#scripts/workbench.ts';
import { storedShown } from './acts.ts';
import type { Tests } from './runTests.ts';
import { settingsWithout, writeSettings } from './settingsFile.ts';

export type PaletteScene = { page: Page; folder: string; profile: Profile };

const json = JSON.stringify(Array.from({ length: 400 }, (_, n) => ({ order: n, state: n === 321 ? 'lost' : 'sent' })));

/** Runs a command as one does without a mouse; the extension that brings it may still be loading. */
const byKeys = async (page: Page, title: string): Promise<void> => {
  await again(`${title} on top of the palette`, async (timeout) => {
    await askQuickly(page, 'F1', `>${title}`, timeout);
    await quickRows(page).first().filter({ hasText: title }).waitFor({ timeout });
  });
  await page.keyboard.press('Enter');
};

const shows = (page: Page, words: string | RegExp): Promise<void> => page.getByText(words).first().waitFor();

/**
 * VS Code's own dialog for files, which proposes a path; another one is typed. It fills itself in by and by, and takes no
 * answer meanwhile: it is answered until it closes.
 */
const answerFileDialog = async (page: Page, file: string): Promise<void> => {
  const input = quickInput(page);
  const rows = quickRows(page);
  const focused = rows.and(page.locator('.focused')).filter({ hasText: basename(file) });
  await until('the dialog for files', patience, async () => (await input.inputValue()).startsWith('/'));
  await again('the end of the dialog for files', async (timeout) => {
    if (!(await input.isVisible())) return;
    await rows.first().waitFor({ timeout });
    if ((await input.inputValue({ timeout })) !== file) {
      await input.fill(file, { timeout });
      await focused.waitFor({ timeout }).catch(() => undefined);
    }
    await input.press('Enter', { timeout });
    await input.waitFor({ state: 'hidden', timeout });
  });
};

/** A notification; under test VS Code shows them in their list only. */
const notification = async (page: Page, words: string): Promise<Locator> => {
  const list = page.locator('.notifications-center.visible');
  const item = list.locator('.notification-list-item', { hasText: words });
  await until(`the notification: ${words}`, patience, async () => {
    if (!(await list.isVisible())) await runCommand(page, 'Notifications: Show Notifications');
    return item.isVisible();
  });
  return item;
};

type Clipboard = { clipboard: { readText: () => Promise<string>; writeText: (text: string) => Promise<void> } };
const clipboardText = (page: Page): Promise<string> =>
  page.evaluate(() => (navigator as unknown as Clipboard).clipboard.readText());
const copy = (page: Page, text: string): Promise<void> =>
  page.evaluate((copied) => (navigator as unknown as Clipboard).clipboard.writeText(copied), text);

const hits = async (page: Page, words: string): Promise<Locator> => {
  await byKeys(page, 'Loom: Search Drawer…');
  await quickInput(page).fill(words);
  return quickRows(page);
};

const storeOrders = async (page: Page, folder: string): Promise<void> => {
  writeFileSync(join(folder, 'orders.json'), json);
  await byKeys(page, 'Loom: Store File…');
  await answerFileDialog(page, join(folder, 'orders.json'));
  await storedShown(page, 'orders.json');
};

const storing = ({ page, folder }: PaletteScene): Tests => ({
  'a file chosen in the dialog is stored': () => storeOrders(page, folder),

  'the clipboard is stored, and an empty one is said to be': async () => {
    await copy(page, 'the walrus was copied\n'.repeat(300));
    await byKeys(page, 'Loom: Store Clipboard');
    await storedShown(page, 'clipboard');
    await copy(page, '');
    await byKeys(page, 'Loom: Store Clipboard');
    await notification(page, 'no text on the clipboard');
  },

  'files selected in the explorer are stored from its menu': async () => {
    for (const n of [1, 2]) writeFileSync(join(folder, `many${n}.log`), `${n} of several\n`.repeat(500));
    await runCommand(page, 'File: Focus on Files Explorer');
    await runCommand(page, 'Refresh Explorer');
    const entry = (name: string): Locator => page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
    await entry('many1.log').click();
    await entry('many2.log').click({ modifiers: ['ControlOrMeta'] });
    await entry('many2.log').click({ button: 'right' });
    const item = page.getByRole('menuitem', { name: 'Store in Loom' });
    await item.waitFor();
    // A menu that has only just opened takes nothing yet.
    await again('the menu to take the choice', async (timeout) => {
      if (!(await item.isVisible())) return;
      await item.hover({ timeout });
      await page.keyboard.press('Enter');
      await item.waitFor({ state: 'hidden', timeout });
    });
    await shows(page, /stored 2 of 2 files: d\d+, d\d+/);
  },
});

/** Opens the choice of a profile, in which `current` is the one that is set. */
const profiles = async (page: Page, current?: string): Promise<void> => {
  await byKeys(page, 'Loom: Set Profile…');
  const row = quickRows(page).filter({ hasText: 'current' });
  await (current === undefined ? row : row.filter({ hasText: current })).waitFor();
};

const chooseProfile = async (page: Page, name: string): Promise<void> => {
  await quickInput(page).fill(name);
  await quickRows(page).first().filter({ hasText: name }).waitFor();
  await page.keyboard.press('Enter');
  await shows(page, `Loom: the profile is ${name}.`);
};

const deciding = ({ page, profile }: PaletteScene): Tests => ({
  'the profile is set by keyboard, and the current one is named': async () => {
    await profiles(page);
    await chooseProfile(page, 'strict');
    await profiles(page, 'strict');
    await chooseProfile(page, 'balanced');
    await profiles(page, 'balanced');
  },

  'a bad setting is named, once': async () => {
    const settings = settingsWithout(profile, 'loom.toolset');
    await writeSettings(page, profile, settings);
    await writeSettings(page, profile, { ...settings, 'loom.toolset': 'cor' });
    const bad = await notification(page, 'loom.toolset cannot be "cor"');
    await bad.getByText('Open Settings').waitFor();
    await writeSettings(page, profile, settings);
  },
});

const exporting = ({ page, folder, profile }: PaletteScene): Tests => ({
  'the ledger and the drawer are exported to files': async () => {
    const [ledger, drawer] = [join(folder, 'loom-ledger.csv'), join(folder, 'loom-drawer.sqlite')];
    // VS Code asks before it writes over a file.
    for (const file of [ledger, drawer]) rmSync(file, { force: true });
    await byKeys(page, 'Loom: Export Ledger…');
    await quickRows(page).filter({ hasText: 'Everything' }).waitFor();
    await page.keyboard.press('Enter');
    await answerFileDialog(page, ledger);
    await shows(page, 'exported the ledger to loom-ledger.csv');
    assert.match(readFileSync(ledger, 'utf8'), /^[a-z_]+(,[a-z_]+){5,}\r\n/);
    await byKeys(page, 'Loom: Export Drawer…');
    await answerFileDialog(page, drawer);
    await shows(page, 'exported the drawer to loom-drawer.sqlite');
    assert.equal(readFileSync(drawer).toString('latin1', 0, 15), 'SQLite format 3');
  },

  'the configuration for another client is copied, and starts this Loom': async () => {
    const file = join(profile.data, 'home/.cursor/mcp.json');
    rmSync(file, { force: true });
    await byKeys(page, 'Loom: Copy MCP Configuration for Another Client…');
    await quickInput(page).fill('Cursor');
    await quickRows(page).filter({ hasText: 'mcp.json' }).first().waitFor();
    await page.keyboard.press('Enter');
    const copied = await notification(page, 'beside what stands there');
    const { mcpServers } = JSON.parse(await clipboardText(page)) as {
      mcpServers: { loom: { command: string; args: string[]; env: Record<string, string> } };
    };
    const { command, args, env } = mcpServers.loom;
    const storage = join(profile.data, 'User/globalStorage/loom.loom');
    assert(existsSync(command), command);
    assert.deepEqual(args, [join(storage, 'loom.cjs'), 'mcp']);
    assert.equal(env['LOOM_DB'], join(storage, 'drawer'));
    assert.match(readFileSync(args[0] ?? '', 'utf8'), /cli\.cjs/);
    await copied.getByText('Add It for Me').click();
    await shows(page, /mcp\.json was written/);
    const written = await until('mcp.json', patience, () => existsSync(file) && readFileSync(file, 'utf8'));
    assert.deepEqual(JSON.parse(written), { mcpServers });
  },
});

const checking = ({ page }: PaletteScene): Tests => ({
  'the check looks at this window, plays every door, and reports': async () => {
    await byKeys(page, 'Loom: Check');
    const report = page.locator('[data-uri^="loom-report:"]').first();
    // The status bar shows the sum for some seconds only.
    await Promise.all([
      report.locator('.view-line', { hasText: 'this window: lists its tools' }).waitFor(),
      shows(page, /Loom: \d+ passed, 0 failed/),
    ]);
  },
});

const purging = ({ page, folder }: PaletteScene): Tests => ({
  'a purge asks with numbers: cancelled, nothing goes; confirmed, nothing is found any more': async () => {
    const dialog = page.locator('.monaco-dialog-box');
    const purge = async (): Promise<void> => {
      await byKeys(page, 'Loom: Purge…');
      await quickRows(page).filter({ hasText: 'this window’s' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await dialog.getByText(/Purge \d+ documents? \(\d.* in 1 session, for good\?/).waitFor();
    };
    await storeOrders(page, folder);
    await purge();
    await page.keyboard.press('Escape');
    const found = await hits(page, 'lost');
    await found.filter({ hasText: 'orders.json' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-uri^="loom:"] .view-line').first().waitFor();
    await runCommand(page, 'View: Close Editor');
    await purge();
    await dialog.getByRole('button', { name: 'Purge' }).press('Enter');
    await shows(page, /purged \d+ documents? in 1 session/);
    const gone = await hits(page, 'lost');
    await gone.filter({ hasText: /No match|empty/ }).waitFor();
  },
});

/** A word of each step's picture. */
const pictures = {
  'Put a file into the drawer': 'the drawer',
  'Search it': 'charge failed',
  'Ask the agent': 'ctx_store_file',
  'Run a cell': 'In [2]',
  'Read the bill': 'Kept out of the prompt',
  'Use it from other clients': 'Claude Code',
} as const;

const guiding = ({ page }: PaletteScene): Tests => ({
  'the walkthrough shows a picture for each step, and its buttons work': async () => {
    const size = page.viewportSize();
    // VS Code leaves the pictures out where there is little room.
    await page.setViewportSize({ width: 1600, height: 900 });
    await byKeys(page, 'Loom: Open Walkthrough');
    for (const [step, word] of Object.entries(pictures)) {
      await page.locator('.getting-started-step', { hasText: step }).first().click();
      await webview(page).locator('svg text', { hasText: word }).first().waitFor();
    }
    await page.locator('.getting-started-step', { hasText: 'Search it' }).first().click();
    await page.locator('.getting-started-step').getByText('Search Drawer…').click();
    await quickInput(page).waitFor();
    if (size) await page.setViewportSize(size);
  },
});

/** What a person reaches from the palette, the menus and the walkthrough. */
export const paletteTests = (scene: PaletteScene): Tests => ({
  ...storing(scene),
  ...deciding(scene),
  ...exporting(scene),
  ...checking(scene),
  ...purging(scene),
  ...guiding(scene),
});
