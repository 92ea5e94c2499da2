import type { Panel } from '#vscode/views/protocol.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { failure, loading } from '#webview/ui/frame.ts';
import { tabBar } from '#webview/ui/tabBar.ts';
import { keep, kept, listen, post } from './host.ts';
import { notices } from './notices.ts';
import type { Shown, Tab, TabContext } from './tab.ts';
import { words } from './words.ts';

/** The panel's page, made once; the tabs fetch what they show. */
const makePage = (tabs: readonly Tab[], context: TabContext) => {
  const shown = new Map<string, Shown>(tabs.map(({ id, create }) => [id, create(context)]));
  const bar = tabBar(words.views, tabs, (tab) => context.go(tab));
  const noticeBox = html('div', { class: 'notices' });
  const panels = tabs.map(({ id }) =>
    html('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }, shown.get(id)?.element),
  );
  const select = (tab: string): void => {
    bar.select(tab);
    for (const panel of panels) panel.hidden = panel.id !== `panel-${tab}`;
    shown.get(tab)?.shown();
  };
  return { shown, select, noticeBox, parts: [bar.element, noticeBox, ...panels] };
};

/** The rooms' tabs in the editor area. */
export const showPanel = (root: HTMLElement, tabs: readonly Tab[]): void => {
  let page: ReturnType<typeof makePage> | undefined;
  let panel: Panel | undefined;
  /** What was kept, or is asked for, may be of a room that is not there. */
  const known = (id: string | undefined): string => (tabs.find((tab) => tab.id === id) ?? tabs[0])?.id ?? '';
  let tab = known(kept().tab);
  const context: TabContext = {
    panel: () => panel!,
    go: (to, filters) => {
      tab = known(to);
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
    page ??= makePage(tabs, context);
    if (first) swap(root, ...page.parts);
    for (const one of page.shown.values()) one.update?.(panel);
    if (changes.status) swap(page.noticeBox, ...notices(panel.status, tabs));
    // What is not looked at fetches when it is.
    if (first) page.select(tab);
    else page.shown.get(tab)?.shown();
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
