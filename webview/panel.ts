import type { Snapshot } from '#vscode/views/protocol.ts';
import { html } from '#webview/ui/dom.ts';
import { tabBar } from '#webview/ui/tabBar.ts';
import { keep, kept } from './host.ts';
import { showPage, type Made } from './page.ts';
import type { Tab, TabContext } from './tab.ts';
import { words } from './words.ts';

/** The rooms' tabs in the editor area: made once; they fetch what they show. */
export const showPanel = (root: Element, tabs: readonly Tab[]): void => {
  let select = (): void => undefined;
  let last: Snapshot;
  /** What was kept, or is asked for, may be of a room that is not there. */
  const known = (id: string | undefined): string => (tabs.find((tab) => tab.id === id) ?? tabs[0])?.id ?? '';
  let chosen = known(kept().tab);
  const go: TabContext['go'] = (to, filters) => {
    chosen = known(to);
    keep({ tab: chosen });
    if (filters) keep({ filters: { ...kept().filters, [chosen]: filters } });
    select();
  };
  const make = (): Made => {
    const bar = tabBar(words.views, tabs, go);
    const made = tabs.map(({ id, create }) => {
      const shown = create({ snapshot: () => last, go });
      const panel = html('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }, shown.element);
      return { id, panel, ...shown };
    });
    select = () => {
      bar.select(chosen);
      for (const { id, panel } of made) panel.hidden = id !== chosen;
      // What is not looked at fetches when it is.
      made.find(({ id }) => id === chosen)?.shown();
    };
    const update = (snapshot: Snapshot): void => {
      last = snapshot;
      for (const one of made) one.update?.(snapshot);
      select();
    };
    return { above: [bar.element], below: made.map(({ panel }) => panel), update };
  };
  showPage(root, tabs, make, go);
};
