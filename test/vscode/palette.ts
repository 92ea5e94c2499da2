import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Profile } from '#scripts/codeServer.ts';
import { until } from '#scripts/until.ts';
import { quickInput, quickRows, runCommand, webview } from '#scripts/workbench.ts';
import type { Tests } from './runTests.ts';
import { writeSettings } from './settingsFile.ts';

export type PaletteScene = { page: Page; folder: string; profile: Profile };

/** Milliseconds that a busy machine may take for what a person would wait for. */
const patience = 30_000;

const json = JSON.stringify(Array.from({ length: 400 }, (_, n) => ({ order: n, state: n === 321 ? 'lost' : 'sent' })));

/** Runs a command as one does without a mouse; the extension that brings it may still be loading. */
const byKeys = async (page: Page, title: string): Promise<void> => {
  const [first] = [quickRows(page).first()];
  await until(`${title} on top of the palette`, 60, async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await quickInput(page).fill(`>${title}`);
    return first
      .filter({ hasText: title })
      .waitFor({ timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
  });
  await page.keyboard.press('Enter');
};

const shows = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByText(words).first().waitFor({ timeout: patience });

/**
 * VS Code's own dialog for files, which proposes a path; another one is typed. It fills itself in by and by, and takes no
 * answer meanwhile: it is answered until it closes.
 */
const answerFileDialog = async (page: Page, file: string): Promise<void> => {
  const input = quickInput(page);
  const rows = quickRows(page);
  const focused = rows.and(page.locator('.focused')).filter({ hasText: basename(file) });
  const soon = { timeout: 2_000 };
  await until('the dialog for files', 30, () =>
    input.inputValue(soon).then(
      (value) => value.startsWith('/'),
      () => false,
    ),
  );
  await until('the end of the dialog for files', 30, async () => {
    if (!(await input.isVisible())) return true;
    await rows.first().waitFor(soon);
    if ((await input.inputValue(soon)) !== file) {
      await input.fill(file, soon);
      await focused.waitFor(soon).catch(() => undefined);
    }
    await input.press('Enter', soon);
    return input.waitFor({ state: 'hidden', ...soon }).then(
      () => true,
      () => false,
    );
  });
};

const clearNotifications = (page: Page): Promise<void> => runCommand(page, 'Notifications: Clear All Notifications');

/** A notification; under test VS Code shows them in their list only. */
const notification = async (page: Page, words: string): Promise<Locator> => {
  const list = page.locator('.notifications-center.visible');
  const item = list.locator('.notification-list-item', { hasText: words });
  await until(`the notification: ${words}`, 30, async () => {
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

const storing = ({ page, folder }: PaletteScene): Tests => ({
  'a file chosen in the dialog is stored': async () => {
    writeFileSync(join(folder, 'orders.json'), json);
    await byKeys(page, 'Loom: Store File…');
    await answerFileDialog(page, join(folder, 'orders.json'));
    await shows(page, /stored orders\.json as d\d+/);
  },

  'the clipboard is stored, and an empty one is said to be': async () => {
    await copy(page, 'the walrus was copied\n'.repeat(300));
    await byKeys(page, 'Loom: Store Clipboard');
    await shows(page, /stored clipboard as d\d+/);
    await copy(page, '');
    await byKeys(page, 'Loom: Store Clipboard');
    await notification(page, 'no text on the clipboard');
    await clearNotifications(page);
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
    await item.waitFor({ timeout: patience });
    // A menu that has only just opened takes nothing yet.
    await until('the menu to take the choice', 30, async () => {
      if (!(await item.isVisible())) return true;
      await item.hover({ timeout: 2_000 });
      await page.keyboard.press('Enter');
      return false;
    });
    await shows(page, /stored 2 of 2 files: d\d+, d\d+/);
  },
});

const deciding = ({ page, profile }: PaletteScene): Tests => ({
  'the profile is set by keyboard, and the current one is named': async () => {
    await byKeys(page, 'Loom: Set Profile…');
    await quickRows(page).filter({ hasText: 'current' }).filter({ hasText: 'strict' }).waitFor({ timeout: patience });
    await quickInput(page).fill('balanced');
    await page.keyboard.press('Enter');
    await shows(page, 'Loom: the profile is balanced.');
    await byKeys(page, 'Loom: Set Profile…');
    await quickRows(page).filter({ hasText: 'current' }).filter({ hasText: 'balanced' }).waitFor({ timeout: patience });
    await page.keyboard.press('Escape');
  },

  'a bad setting is named, once': async () => {
    const file = join(profile.data, 'User/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    await writeSettings(page, { ...settings, 'loom.toolset': 'cor' });
    const bad = await notification(page, 'loom.toolset cannot be "cor"');
    assert(await bad.getByText('Open Settings').isVisible());
    await writeSettings(page, settings);
    await clearNotifications(page);
  },
});

const exporting = ({ page, folder, profile }: PaletteScene): Tests => ({
  'the ledger and the drawer are exported to files': async () => {
    await byKeys(page, 'Loom: Export Ledger…');
    await quickRows(page).filter({ hasText: 'Everything' }).waitFor({ timeout: patience });
    await page.keyboard.press('Enter');
    await answerFileDialog(page, join(folder, 'loom-ledger.csv'));
    await shows(page, 'exported the ledger to loom-ledger.csv');
    assert.match(readFileSync(join(folder, 'loom-ledger.csv'), 'utf8'), /^[a-z_]+(,[a-z_]+){5,}\r\n/);
    await byKeys(page, 'Loom: Export Drawer…');
    await answerFileDialog(page, join(folder, 'loom-drawer.sqlite'));
    await shows(page, 'exported the drawer to loom-drawer.sqlite');
    assert.equal(readFileSync(join(folder, 'loom-drawer.sqlite')).toString('latin1', 0, 15), 'SQLite format 3');
  },

  'the configuration for another client is copied, and starts this Loom': async () => {
    await byKeys(page, 'Loom: Copy MCP Configuration for Another Client…');
    await quickInput(page).fill('Cursor');
    await quickRows(page).filter({ hasText: 'mcp.json' }).first().waitFor({ timeout: patience });
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
    const file = join(profile.data, 'home/.cursor/mcp.json');
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { mcpServers });
  },
});

const checking = ({ page }: PaletteScene): Tests => ({
  'the check looks at this window, plays every door, and reports': async () => {
    await byKeys(page, 'Loom: Check');
    const report = page.locator('[data-uri^="loom-report:"]').first();
    await report.locator('.view-line', { hasText: 'this window: lists its tools' }).waitFor({ timeout: 100_000 });
    await shows(page, /Loom: \d+ passed, 0 failed/);
  },
});

const purging = ({ page }: PaletteScene): Tests => ({
  'a purge asks with numbers: cancelled, nothing goes; confirmed, nothing is found any more': async () => {
    const dialog = page.locator('.monaco-dialog-box');
    const purge = async (): Promise<void> => {
      await byKeys(page, 'Loom: Purge…');
      await quickRows(page).filter({ hasText: 'this window’s' }).waitFor({ timeout: patience });
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await dialog.getByText(/Purge \d+ documents \(\d.* in 1 session, for good\?/).waitFor({ timeout: patience });
    };
    await purge();
    await page.keyboard.press('Escape');
    const found = await hits(page, 'lost');
    await found.filter({ hasText: 'orders.json' }).first().waitFor({ timeout: patience });
    await page.keyboard.press('Enter');
    await page.locator('[data-uri^="loom:"] .view-line').first().waitFor({ timeout: patience });
    await runCommand(page, 'View: Close Editor');
    await purge();
    await dialog.getByRole('button', { name: 'Purge' }).press('Enter');
    await shows(page, /purged \d+ documents in 1 session/);
    const gone = await hits(page, 'lost');
    await gone.filter({ hasText: /No match|empty/ }).waitFor({ timeout: patience });
    await page.keyboard.press('Escape');
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
    await byKeys(page, 'View: Close All Editors');
    await page.setViewportSize({ width: 1600, height: 900 });
    await byKeys(page, 'Loom: Open Walkthrough');
    for (const [step, word] of Object.entries(pictures)) {
      await page.locator('.getting-started-step', { hasText: step }).first().click({ timeout: patience });
      await webview(page).locator('svg text', { hasText: word }).first().waitFor({ timeout: patience });
    }
    await page.locator('.getting-started-step', { hasText: 'Search it' }).first().click();
    await page.locator('.getting-started-step').getByText('Search Drawer…').click();
    await quickInput(page).waitFor({ timeout: patience });
    await page.keyboard.press('Escape');
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
