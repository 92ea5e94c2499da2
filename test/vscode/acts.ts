// What several tests do in the workbench, as a person does it, and how they see what it came to.
import type { Page } from 'playwright-core';
import { openFile, runCommand } from '#scripts/workbench.ts';

/** Waits for the words that the status bar shows for some seconds once `title` is in the drawer, now or from before. */
export const storedShown = (page: Page, title: string): Promise<void> =>
  page
    .getByText(new RegExp(`(stored ${title}|${title} was already stored) as d\\d+`))
    .first()
    .waitFor();

export const storeOpenFile = async (page: Page, name: string): Promise<void> => {
  await openFile(page, name);
  await runCommand(page, 'Loom: Store Active File');
  await storedShown(page, name);
};

/** Runs a file's first line in the kernel, where no output is open yet; the number of its cell. */
export const runFirstLine = async (page: Page, name: string): Promise<number> => {
  await openFile(page, name);
  await runCommand(page, 'Loom: Run Selection in Kernel');
  const line = page.locator('[data-uri^="loom-kernel:"] .view-line', { hasText: /In\s\[\d+\]\scompleted/ });
  await line.first().waitFor();
  // Cells of before stand above it.
  const numbers = (await line.allInnerTexts()).flatMap((text) => /In\s\[(\d+)\]/.exec(text)?.[1] ?? []).map(Number);
  return Math.max(...numbers);
};
