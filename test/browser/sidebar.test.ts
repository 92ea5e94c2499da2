import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '#scripts/browser.ts';
import { Scope } from '#scripts/scope.ts';
import type { ToWebview } from '#vscode/views/protocol.ts';
import { sidebarHost } from './panelHost.ts';
import { billed, emptySnapshot, lostBill, noCallsBill, panel, type Shown, snapshot, warnings } from './snapshots.ts';
import { themes } from './themes.ts';
import { openPage, type Look, type WebviewPage } from './webviewPage.ts';

const scope = new Scope();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser(scope);
}, 120_000);
afterAll(() => scope.close());

let sidebar: WebviewPage;
let shown: Shown;
afterEach(() => sidebar.page.close());

/** The page is told what stands in it now, or something else; and has shown it. */
const tell = async (state: Shown | ToWebview): Promise<void> => {
  if (!('kind' in state)) shown = state;
  await sidebar.send('kind' in state ? state : { kind: 'snapshot', snapshot: { ...panel, status: state.status } });
  await sidebar.answered();
};
const change = async (changes: Partial<Shown>): Promise<void> => {
  shown = { ...shown, ...changes };
  await tell({ kind: 'changes', changes: {} });
};
const open = async (state: Shown | ToWebview | undefined, look?: Look): Promise<WebviewPage> => {
  sidebar = await openPage(browser, { view: 'sidebar', host: sidebarHost(() => shown), ...(look && { look }) });
  if (state) await tell(state);
  return sidebar;
};
const text = (): Promise<string> => sidebar.page.locator('main').innerText();
const rows = async (): Promise<string> => (await text()).replaceAll(/\n+/g, ' | ');

describe('every state, in every theme, narrow and wide, has no barrier, no complaint, nothing cut off', () => {
  const states: [name: string, state: Shown | ToWebview | undefined][] = [
    ['loading', undefined],
    ['saved', snapshot],
    ['lost', billed(lostBill)],
    ['no calls', billed(noCallsBill)],
    ['empty', emptySnapshot],
    ['error', { kind: 'error', message: "The drawer's file is damaged.", ways: [] }],
    [
      'locked',
      { kind: 'error', message: 'The drawer is encrypted.', ways: ['Enter Passphrase…', 'Enter Recovery Key…'] },
    ],
    ...Object.entries(warnings).map(([name, status]): [string, Shown] => [name, { ...snapshot, status }]),
  ];
  // What has colours of its own; the other states are made of the same.
  const coloured = ['saved', 'lost', 'locked', 'untrusted'];
  const names = Object.keys(themes) as (keyof typeof themes)[];
  test.each([['dark', 200] as const, ...names.map((theme) => [theme, 320] as const)])(
    '%s, %i px',
    async (theme, width) => {
      await open(undefined, { theme, width });
      for (const [name, state] of states) {
        if (width > 200 && !coloured.includes(name)) continue;
        if (state) await tell(state);
        expect(await sidebar.barriers(), name).toEqual([]);
        expect(sidebar.complaints, name).toEqual([]);
        expect(await sidebar.page.evaluate('document.documentElement.scrollWidth'), name).toBe(width);
      }
    },
  );
});

test('says ready once, and shows that it waits', async () => {
  const { page, posted } = await open(undefined);
  expect(await posted()).toEqual([{ kind: 'ready' }]);
  expect(await page.getByRole('status').innerText()).toBe('Opening the drawer…');
});

test('a bill: the outcome, every term, the line, the tools', async () => {
  await open(snapshot);
  const shown = await rows();
  for (const part of [
    '+39,190 | tokens kept out of prompts, all costs paid (estimated)',
    'Kept out | 48,210',
    'Paid | 9,020',
    'Being listed | 4,440 | 1,480 × 3 turns, estimated',
    'Calls | 620 | 120 of it content to store',
    'Answers | 3,960 | 1,900 of it stored content fetched again',
    'Gain | 81% above 35%',
    'Break-even | 29 turns',
    '212,400 more tokens were stored than the client would have read. They do not count.',
    '14 calls. Tokens as o200k_base counts them.',
    '40 of 200 MB',
  ])
    expect(shown).toContain(part);
  expect(await sidebar.page.getByRole('img', { name: 'Kept out: 48,210 tokens' }).isVisible()).toBe(true);
  const cells = await sidebar.page.getByRole('grid').first().getByRole('gridcell').allInnerTexts();
  expect(cells.slice(0, 3)).toEqual(['ctx_\u200bstore_\u200bfile', '1,680', '48,210']);
});

test('a loss is shown as one', async () => {
  await open(billed(lostBill));
  const shown = await rows();
  expect(shown).toContain('−9,600 | tokens: Loom cost more than it kept out');
  expect(shown).toContain('1,480 × 4 turns assumed, estimated');
  expect(shown).toContain('Gain | −1,067% below 35%');
  expect(shown).toContain('Break-even | none');
  expect(shown).toContain('2 calls could not be measured.');
});

test('no calls: nothing to report, no figure', async () => {
  await open(billed(noCallsBill));
  expect(await rows()).toContain('Nothing to report: no agent has called Loom yet. | Being listed costs 1,480 tokens');
  expect(await sidebar.page.getByText('Kept out', { exact: true }).filter({ visible: true }).count()).toBe(0);
});

test('the tab that a person chose is kept, and its bill shown', async () => {
  const { page } = await open(snapshot);
  await page.getByRole('tab', { name: 'This session' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('+2,479,700').waitFor();
  await change({ bills: { ...snapshot.bills, session: lostBill } });
  expect(await page.getByRole('tab', { name: 'All time' }).getAttribute('aria-selected')).toBe('true');
  expect(await page.getByText('+2,479,700').isVisible()).toBe(true);
});

test('a document opens by mouse and by keyboard, and keeps the focus when the list changes', async () => {
  const { page, posted } = await open(snapshot);
  await page.getByRole('button', { name: 'npm test' }).click();
  await change({ documents: snapshot.documents.slice(1) });
  await page.getByRole('button', { name: 'integration' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.openDocument', args: ['d41'] },
    { kind: 'runCommand', command: 'loom.openDocument', args: ['d41'] },
  ]);
});

test('an empty drawer offers to store, a full one to search', async () => {
  const { page, posted } = await open(emptySnapshot);
  await page.getByRole('button', { name: 'Store Active File' }).click();
  await tell(snapshot);
  await page.getByRole('button', { name: 'Search Drawer…' }).click();
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.storeActiveFile', args: [] },
    { kind: 'runCommand', command: 'loom.searchDrawer', args: [] },
  ]);
});

test('an error says what is wrong and offers a way on', async () => {
  const { page, posted } = await open({
    kind: 'error',
    message: 'The drawer is on a network file system.',
    ways: ['Take Over…'],
  });
  expect(await page.getByRole('alert').innerText()).toBe('Loom could not open the drawer.');
  expect(await text()).toContain('The drawer is on a network file system.');
  for (const name of ['Show Log', 'Take Over…', 'Try Again']) await page.getByRole('button', { name }).click();
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.showLog', args: [] },
    { kind: 'way', index: 0 },
    { kind: 'ready' },
  ]);
});

test('a title is text, whatever stands in it', async () => {
  const title = '<img src=x onerror="document.title=1">"\'&amp;';
  const { page, complaints } = await open({ ...snapshot, documents: [{ ...snapshot.documents[0]!, title }] });
  expect(await page.locator('.document .title').innerText()).toBe(title);
  expect(await page.locator('main img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('over time: a picture with its figures, a table for who cannot see it, and a choice of the span', async () => {
  const { page } = await open(snapshot);
  const shown = await rows();
  expect(shown).toContain('OVER TIME | Hour | Day | Week | All');
  expect(shown).toContain('Kept out 48,210 | Paid 9,020');
  expect(await page.getByRole('img', { name: /^48,210 tokens kept out, 9,020 tokens paid, since / }).isVisible()).toBe(
    true,
  );
  expect(await page.getByRole('table').first().getByRole('row').count()).toBe(5);
  await page.getByRole('button', { name: 'Week' }).first().click();
  expect(await page.evaluate('kept()')).toMatchObject({ span: 'week' });
  const week = page.getByRole('button', { name: 'Week', pressed: true }).first();
  await week.waitFor();
  expect(await week.evaluate('document.activeElement.dataset.key')).toBe('span week');
});

test('what a person must know stands on top, with what they can do', async () => {
  const { page, posted } = await open({ ...snapshot, status: warnings['nearly full']! });
  expect(await rows()).toContain('The drawer is 97% full (193 of 200 MB).');
  await page.getByRole('button', { name: 'Show Sessions' }).click();
  await page.getByRole('button', { name: 'Open Ledger' }).click();
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.openDrawer', args: ['sessions'] },
    { kind: 'runCommand', command: 'loom.openLedger', args: [] },
  ]);
});
