import type { Locator, Page } from 'playwright-core';
import { patience } from '#scripts/patience.ts';
import { again, until } from '#scripts/until.ts';
import { runCommand } from '#scripts/workbench.ts';

const session = (page: Page): Locator => page.locator('.interactive-session').first();

/** Opens the chat and waits until it has chosen the model `name`. */
export const openChat = async (page: Page, name: string): Promise<void> => {
  await runCommand(page, 'Chat: Open Chat');
  await session(page).locator('.interactive-input-part', { hasText: name }).waitFor();
};

/** Leaves the conversation, if there is one, and begins another, with the agent that is chosen. */
export const newChat = async (page: Page): Promise<void> => {
  const said = session(page).locator('.interactive-item-container').first();
  // An empty one would be replaced at some later moment, with what has been typed by then.
  if ((await said.count()) === 0) return;
  // By its button: in the palette "New Chat Editor" may come first.
  const part = page.locator('.part.auxiliarybar');
  await part
    .getByRole('button', { name: /^New Chat/ })
    .first()
    .click();
  await said.waitFor({ state: 'detached' });
};

/** Chooses the agent `name` for what is asked from now on. */
export const chooseAgent = async (page: Page, name: string): Promise<void> => {
  const input = session(page).locator('.interactive-input-part .monaco-editor').first();
  const row = page.locator(`.action-widget .monaco-list-row[aria-label^="${name}"]`).first();
  // The list is drawn anew while it learns what there is.
  await again(`the agent ${name}`, async (timeout) => {
    await page.keyboard.press('Escape');
    await input.click({ timeout });
    await page.keyboard.press('ControlOrMeta+.');
    await row.click({ timeout });
  });
};

/** A question that VS Code puts to the person before a call or before its result goes to the model. */
export type Confirmation = { text: string; buttons: string[] };

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' | ').trim();

const buttonsShown = [
  '.chat-confirmation-widget-buttons:visible .monaco-button:visible',
  '.chat-tool-confirmation-carousel-container:visible .monaco-button:visible',
].join(', ');
const questionShown = '.chat-confirmation-widget-container:visible, .chat-tool-confirmation-carousel-container:visible';

/** Allows what is being asked, if anything is; what it was. */
const allow = async (page: Page): Promise<Confirmation | undefined> => {
  const buttons = page.locator(buttonsShown);
  const yes = buttons.filter({ hasText: /^(Allow|Continue|Yes)/ }).first();
  if ((await yes.count()) === 0) return undefined;
  const question = await page.locator(questionShown).last().innerText();
  const labels = (await buttons.allInnerTexts()).map(oneLine).filter(Boolean);
  await yes.click();
  // Else the same question would be counted twice.
  await yes.waitFor({ state: 'hidden' });
  return { text: oneLine(question), buttons: labels };
};

/** Asks the agent, allows whatever it wants, and waits for `answer` to stand in the chat; what had to be allowed. */
export const ask = async (page: Page, prompt: string, answer: string): Promise<Confirmation[]> => {
  await session(page).locator('.interactive-input-part .monaco-editor').first().click();
  // Over what a try before may have left there.
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(prompt);
  const typed = session(page).locator('.interactive-input-part .view-lines', { hasText: prompt.slice(0, 20) });
  await typed.first().waitFor();
  await page.keyboard.press('Enter');
  const asked: Confirmation[] = [];
  await until(`the answer ${answer}`, patience, async () => {
    const confirmation = await allow(page);
    if (confirmation) asked.push(confirmation);
    return (await session(page).innerText()).includes(answer);
  });
  return asked;
};
