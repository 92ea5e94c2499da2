import type { Panel, TabId } from '#vscode/views/protocol.ts';
import { documentsTab } from '#webview/drawer/documentsTab.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { failure, loading } from '#webview/ui/frame.ts';
import { keep, kept, listen, post } from './host.ts';
import { kernelTab } from '#webview/kernel/kernelTab.ts';
import { ledgerTab } from '#webview/ledger/ledgerTab.ts';
import { notices } from './notices.ts';
import { sessionsTab } from '#webview/drawer/sessionsTab.ts';
import type { Tab, TabContext } from './tab.ts';
import { tabBar } from '#webview/ui/tabBar.ts';
import { words } from './words.ts';

const titles: readonly (readonly [TabId, string])[] = [
  ['documents', words.documents],
  ['sessions', words.sessions],
  ['kernel', words.kernel.kernel],
  ['ledger', words.ledger],
];

/** The panel's page, made once; the tabs fetch what they show. */
const makePage = (context: TabContext) => {
  const tabs: Record<TabId, Tab> = {
    documents: documentsTab(context),
    sessions: sessionsTab(context),
    kernel: kernelTab(context),
    ledger: ledgerTab(context),
  };
  const bar = tabBar(words.views, titles, (tab) => context.go(tab));
  const noticeBox = html('div', { class: 'notices' });
  const panels = titles.map(([id]) =>
    html('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }, tabs[id].element),
  );
  const select = (tab: TabId): void => {
    bar.select(tab);
    for (const panel of panels) panel.hidden = panel.id !== `panel-${tab}`;
    tabs[tab].shown();
  };
  return {
    tabs,
    select,
    noticeBox,
    parts: [bar.element, noticeBox, ...panels],
  };
};

/** The drawer and the ledger in the editor area. */
export const showPanel = (root: HTMLElement): void => {
  let page: ReturnType<typeof makePage> | undefined;
  let panel: Panel | undefined;
  let tab: TabId = kept().tab ?? 'documents';
  const context: TabContext = {
    panel: () => panel!,
    go: (to, filters) => {
      tab = to;
      keep({ tab });
      if (filters) keep({ filters: { ...kept().filters, [to]: filters } });
      page?.select(tab);
    },
  };
  const begin = (): void => {
    page = undefined;
    swap(root, loading(words.loading));
    post({ kind: 'ready' });
  };
  const update = (changes: Partial<Panel>): void => {
    panel = { ...panel, ...changes } as Panel;
    const first = page === undefined;
    page ??= makePage(context);
    if (first) swap(root, ...page.parts);
    for (const one of Object.values(page.tabs)) one.update(panel);
    if (changes.status) swap(page.noticeBox, ...notices(panel.status, () => context.go('sessions')));
    // What is not looked at fetches when it is.
    if (first) page.select(tab);
    else page.tabs[tab].shown();
  };
  listen((message) => {
    if (message.kind === 'snapshot') update(message.snapshot as Panel);
    else if (message.kind === 'changes' && page) update(message.changes as Partial<Panel>);
    else if (message.kind === 'show') context.go(message.tab);
    else if (message.kind === 'error') {
      page = undefined;
      swap(root, ...failure(message.message, message.ways, begin));
    }
  });
  begin();
};
