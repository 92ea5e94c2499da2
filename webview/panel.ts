import { html } from '#webview/ui/dom.ts';
import { tabBar } from '#webview/ui/tabBar.ts';
import { keep, kept } from './host.ts';
import { showPage } from './page.ts';
import type { Tab, TabContext } from './tab.ts';
import { words } from './words.ts';

/** The rooms' tabs in the editor area: made once; they fetch what they show. */
export const showPanel = (root: Element, tabs: readonly Tab[]): void => {
  let update = (): void => undefined;
  /** What was kept, or is asked for, may be of a room that is not there. */
  const known = (id: string | undefined): string => (tabs.find((tab) => tab.id === id) ?? tabs[0])?.id ?? '';
  let chosen = known(kept().tab);
  const go: TabContext['go'] = (to, filters) => {
    chosen = known(to);
    keep({ tab: chosen });
    if (filters) keep({ filters: { ...kept().filters, [chosen]: filters } });
    update();
  };
  showPage(
    root,
    tabs,
    (snapshot) => {
      const bar = tabBar(words.views, tabs, go);
      const made = tabs.map(({ id, create }) => {
        const { element, update: fetch } = create({ snapshot, go });
        const panel = html('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }, element);
        return { id, panel, fetch };
      });
      update = () => {
        bar.select(chosen);
        for (const { id, panel } of made) panel.hidden = id !== chosen;
        // What is not looked at fetches when it is.
        made.find(({ id }) => id === chosen)?.fetch();
      };
      return { above: [bar.element], below: made.map(({ panel }) => panel), update };
    },
    go,
  );
};
