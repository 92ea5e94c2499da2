import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '#scripts/browser.ts';
import { Scope } from '#scripts/scope.ts';
import { until } from '#scripts/until.ts';
import type { ToWebview } from '#vscode/views/protocol.ts';
import { fakeHost, type Sizes } from './panelHost.ts';
import { emptySnapshot, panel as shownPanel, warnings } from './snapshots.ts';
import { themes } from './themes.ts';
import { openPage, type FakeHost, type Look, type WebviewPage } from './webviewPage.ts';

const scope = new Scope();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser(scope);
}, 120_000);
afterAll(() => scope.close());

type Message = ToWebview;

let panel: WebviewPage;
afterEach(() => panel.page.close());

const many: Sizes = { documents: 100_000, executions: 100_000, entries: 100_000 };
const snapshot: Message = { kind: 'snapshot', snapshot: shownPanel };

type Opened = { look?: Look; host?: FakeHost; kept?: unknown; first?: Message | undefined };

const open = async ({ first = snapshot, host = fakeHost({ ...many }), ...more }: Opened = {}): Promise<WebviewPage> => {
  panel = await openPage(browser, { view: 'panel', host, ...more });
  await panel.send(first);
  return panel;
};

const titles = {
  documents: 'Documents',
  sessions: 'Sessions',
  kernel: 'Kernel',
  ledger: 'Ledger',
};
type TabId = keyof typeof titles;
const show = (tab: TabId): Promise<void> => panel.page.getByRole('tab', { name: titles[tab] }).click();
const grid = (name: string): Locator => panel.page.getByRole('grid', { name, exact: true });
const row = (name: string | RegExp): Locator => panel.page.getByRole('row', { name }).first();
const active = (name: string): Promise<string> => grid(name).locator('.active').innerText();
const detail = (): Locator => panel.page.getByRole('region', { name: 'Details' }).filter({ visible: true });
type Kept = { filters?: { documents?: { title?: string } }; places?: { documents?: { key?: string } } };
const kept = (): Promise<Kept> => panel.page.evaluate('kept() ?? {}');

/** Every tab with an active row, its details open; then a search. */
const lookAtEach = async (look: (state: string) => Promise<void>): Promise<void> => {
  for (const tab of Object.keys(titles) as TabId[]) {
    await show(tab);
    const list = panel.page.getByRole('grid').filter({ visible: true }).first();
    await list.locator('.rows .line').first().waitFor();
    await list.press('ArrowDown');
    await detail().getByRole('heading', { level: 2 }).waitFor();
    if (tab === 'documents')
      for (const name of [/^Masked/, /^Invariants/, /^Chunks/]) await detail().getByText(name).click();
    await look(tab);
  }
  await show('documents');
  await panel.page.getByRole('searchbox', { name: 'Search in the content' }).fill('needle');
  await panel.page.getByText('the needle is here').first().waitFor();
  await look('passages');
};

const names = Object.keys(themes) as (keyof typeof themes)[];
test.each([['dark', 200] as const, ...names.map((theme) => [theme, 1000] as const)])(
  'every tab has no barrier, no complaint, nothing cut off: %s, %i px',
  async (theme, width) => {
    // Low: axe looks at every row.
    await open({ look: { theme, width, height: 420 } });
    await lookAtEach(async (state) => {
      expect(await panel.barriers(), state).toEqual([]);
      expect(await panel.page.evaluate('document.documentElement.scrollWidth'), state).toBe(width);
    });
    expect(panel.complaints).toEqual([]);
  },
);

test.each(['dark', 'light'] as const)('what is empty, refused, full, locked has no barrier: %s', async (theme) => {
  const failing = { 'ledger.entries': () => new Error('The drawer is busy.') };
  await open({
    look: { theme, width: 320 },
    host: { ...fakeHost({ documents: 0, executions: 0, entries: 0 }, emptySnapshot.bills), ...failing },
  });
  const states: [name: string, message: Message, said: string][] = [
    ...Object.entries(warnings).map(([name, status]): [string, Message, string] => [
      name,
      { kind: 'changes', changes: { status } },
      status.trusted ? 'The drawer is' : 'This workspace is not trusted',
    ]),
    [
      'locked',
      { kind: 'error', message: 'The drawer is encrypted.', ways: ['Enter Passphrase…'] },
      'Enter Passphrase…',
    ],
    ['empty', { kind: 'snapshot', snapshot: { ...shownPanel, sessions: [] } }, 'Store File…'],
    ['kernel', { kind: 'show', tab: 'kernel' }, 'No cell has been run.'],
    ['sessions', { kind: 'show', tab: 'sessions' }, 'No session yet.'],
    ['ledger', { kind: 'show', tab: 'ledger' }, 'The drawer is busy.'],
  ];
  for (const [name, message, said] of states) {
    await panel.send(message);
    await panel.page.getByText(said).filter({ visible: true }).first().waitFor();
    expect(await panel.barriers(), name).toEqual([]);
    expect(await panel.page.evaluate('document.documentElement.scrollWidth'), name).toBe(320);
  }
  await panel.page.getByRole('button', { name: 'Try Again' }).click();
  expect(panel.asked().filter((name) => name === 'ledger.entries').length).toBeGreaterThan(1);
  expect(panel.complaints).toEqual([]);
});

test('100,000 rows: keys go anywhere, only what is seen is drawn, and little of it is fetched', async () => {
  const { page, asked } = await open();
  const list = grid('Documents');
  await row('d100000').waitFor();
  expect(await list.getAttribute('aria-rowcount')).toBe('100001');
  await list.focus();
  const keys: [key: string, row: string, rowindex: string][] = [
    ['ArrowDown', 'd100000', '2'],
    ['ArrowDown', 'd99999', '3'],
    ['ArrowUp', 'd100000', '2'],
    ['End', 'd1', '100001'],
    ['Home', 'd100000', '2'],
  ];
  for (const [key, id, index] of keys) {
    await page.keyboard.press(key);
    await list.locator('.active', { hasText: new RegExp(`${id}$`) }).waitFor();
    const named = await list.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${named}`).getAttribute('aria-rowindex')).toBe(index);
  }
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const far = Number((await active('Documents')).match(/d(\d+)$/)?.[1]);
  expect(far).toBeLessThan(99_960);
  await page.keyboard.press('PageUp');
  expect(Number((await active('Documents')).match(/d(\d+)$/)?.[1])).toBeGreaterThan(far);
  const before = asked().length;
  for (let n = 0; n < 60; n++) await page.mouse.wheel(0, 30_000);
  await list.evaluate('document.querySelector(".list.documents").scrollTop = 1_100_000');
  await row('d50000').waitFor();
  expect(await list.locator('.rows .line').count()).toBeLessThan(90);
  expect(asked().length - before).toBeLessThan(40);
  await page.keyboard.press('Enter');
  expect((await panel.posted()).at(-1)).toMatchObject({ kind: 'runCommand', command: 'loom.openDocument' });
});

test('rows that come in above move neither the active row nor what is seen', async () => {
  const sizes = { ...many };
  const { send, page } = await open({ host: fakeHost(sizes) });
  const list = grid('Documents');
  await row('d100000').waitFor();
  await list.evaluate('document.querySelector(".list.documents").scrollTop = 22_000');
  await row('d99000').click();
  const top = async (): Promise<number | undefined> => (await row('d99000').boundingBox())?.y;
  const seen = await top();
  sizes.documents += 250;
  await send({ kind: 'changes', changes: {} });
  await page.getByText('100,250 documents').waitFor();
  expect(await active('Documents')).toContain('d99000');
  expect(await top()).toBe(seen);
  sizes.documents -= 100;
  await send({ kind: 'changes', changes: {} });
  await page.getByText('100,150 documents').waitFor();
  expect(await active('Documents')).toContain('d99000');
  expect(await detail().getByRole('heading', { level: 2 }).innerText()).toContain('99000');
});

test('a burst of changes asks for what is seen, not for all of it', async () => {
  const { send, asked, page } = await open();
  await row('d100000').waitFor();
  const before = asked().length;
  for (let n = 0; n < 30; n++) await send({ kind: 'changes', changes: {} });
  await send({ kind: 'changes', changes: { status: warnings['nearly full']! } });
  await page.getByText('97% full').waitFor();
  expect(asked().length - before).toBeLessThanOrEqual(32);
  expect(new Set(asked())).toEqual(new Set(['drawer.documents']));
});

test('tab, filters, place and open sections come back with the page', async () => {
  const { page } = await open();
  await page.getByRole('searchbox', { name: 'Part of the title' }).fill('log');
  await until('the filter to be kept', 10, async () => (await kept()).filters?.documents?.title === 'log');
  await grid('Documents').evaluate('document.querySelector(".list.documents").scrollTop = 220_000');
  await row('d90000').click();
  await detail()
    .getByText(/^Chunks/)
    .click();
  await show('ledger');
  await page.getByText('100,000 entries').waitFor();
  await until('the place to be kept', 10, async () => (await kept()).places?.documents?.key === 'd90000');
  const state = await kept();
  await page.close();
  await open({ kept: state });
  expect(await panel.page.getByRole('tab', { name: 'Ledger' }).getAttribute('aria-selected')).toBe('true');
  await show('documents');
  await grid('Documents').locator('.active', { hasText: 'd90000' }).waitFor();
  expect(await panel.page.getByRole('searchbox', { name: 'Part of the title' }).inputValue()).toBe('log');
  await detail().getByRole('grid', { name: 'Chunks' }).waitFor();
});

test('a search as one types, over its own rows: opened at the hit, cleared to the list', async () => {
  const { page, posted, send, asked } = await open();
  const field = page.getByRole('searchbox', { name: 'Search in the content' });
  await field.fill('needle');
  const found = grid('Passages');
  await found.getByText('the needle is here').first().waitFor();
  expect(await found.innerText()).toContain('file-3.txt · lines 10 to 12');
  expect(
    await page.getByText('No passage has all the words; these have some of them. 4 more passages').isVisible(),
  ).toBe(true);
  await send({ kind: 'changes', changes: { status: warnings['nearly full']! } });
  await page.getByText('97% full').waitFor();
  expect(await page.getByText('2 passages').isVisible()).toBe(true);
  expect(asked().filter((name) => name === 'drawer.search')).toHaveLength(1);
  await found.press('ArrowDown');
  await found.press('Enter');
  await detail().getByRole('button', { name: 'Line 11' }).click();
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.openDocument', args: ['d3', 11] },
    { kind: 'runCommand', command: 'loom.openDocument', args: ['d3', 11] },
  ]);
  await field.fill('nothing');
  await page.getByText('No match in 100,000 documents.').waitFor();
  await field.fill('');
  await row('d100000').waitFor();
});

test('filters narrow the list, and an empty one says so', async () => {
  const { page } = await open();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'JSON', exact: true }).click();
  await page.getByText('3 documents').waitFor();
  await page.getByRole('searchbox', { name: 'Part of the title' }).fill('nothing');
  await page.getByText('No document passes the filters.').waitFor();
});

test('a document from the inside: facts, anchor, invariants, what was masked, chunks', async () => {
  const { page, posted } = await open();
  await row('d100000').click();
  const said = async (): Promise<string> => (await detail().innerText()).replaceAll(/\s+/g, ' ');
  await detail().getByText('charge failed for order ORD-77121').first().waitFor();
  expect(await said()).toContain('Source file-100000.txt (file)');
  expect(await detail().getByText('file-100000.txt (file)').getAttribute('title')).toBe(
    '/project/orders/file-100000.txt',
  );
  for (const section of ['Masked secrets (2)', /^Invariants/, /^Chunks/]) await detail().getByText(section).click();
  await detail().getByText('https://example.org/b').waitFor();
  expect(await said()).toContain('NUMBER 900');
  expect(await said()).toContain('700 more');
  expect(await said()).toContain('Line 12 password, 16 bytes');
  await detail().getByRole('button', { name: 'Line 290' }).click();
  await detail()
    .getByRole('row', { name: /^d100000\.2 / })
    .dblclick();
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.openDocument', args: ['d100000', 290] },
    { kind: 'runCommand', command: 'loom.openDocument', args: ['d100000', 41] },
  ]);
  expect(await page.title()).toBe('Loom');
});

test('a time that is to come shows its date', async () => {
  const at = Date.now() + 20 * 86_400_000;
  const [own] = shownPanel.sessions;
  const sessions = own ? [{ ...own, usedAt: Date.now() - 60_000, expiresAt: at }] : [];
  await open({ first: { kind: 'snapshot', snapshot: { ...shownPanel, sessions } } });
  await show('sessions');
  const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).format(at);
  await grid(titles.sessions).getByRole('gridcell', { name: day }).first().waitFor();
  // What was today does not.
  const today = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).format();
  expect(await grid(titles.sessions).getByRole('gridcell', { name: today }).count()).toBe(0);
});

test('sessions lead to their documents and to the purge; cells to their streams; the ledger to its export', async () => {
  const { page, posted } = await open();
  await show('sessions');
  await row(/claude-code/).click();
  await page.getByRole('button', { name: 'Purge…' }).click();
  await page.getByRole('button', { name: 'Show Documents' }).click();
  expect(await page.getByRole('tab', { name: 'Documents' }).getAttribute('aria-selected')).toBe('true');
  await show('kernel');
  await row(/In \[99999\]/).click();
  expect(await detail().innerText()).toContain('interrupted');
  await page.getByRole('button', { name: 'stderr' }).click();
  await show('ledger');
  await row(/kept out/).click();
  expect(await detail().innerText()).toContain('Beyond what counts');
  await page.getByRole('button', { name: 'Export…' }).click();
  expect((await posted()).slice(1)).toEqual([
    { kind: 'runCommand', command: 'loom.purge', args: ['s2'] },
    { kind: 'runCommand', command: 'loom.kernel.openStream', args: ['s1', 99_999, 'stderr'] },
    { kind: 'runCommand', command: 'loom.exportLedger', args: [] },
  ]);
});

test('keys alone: from the tabs through the filters into the list and its details', async () => {
  const { page } = await open();
  await row('d100000').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'Sessions' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowLeft');
  const reached: string[] = [];
  for (let n = 0; n < 6; n++) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate<string>('document.activeElement.getAttribute("aria-label")'));
  }
  expect(reached).toEqual(['Search in the content', 'Part of the title', 'Session', 'Kind', 'Documents', 'Details']);
});
