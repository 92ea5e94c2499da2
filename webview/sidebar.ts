import { divider } from '#webview/ui/components.ts';
import { showPage } from './page.ts';
import type { Tab } from './tab.ts';

/** What of the rooms stands beside the editors. */
export const showSidebar = (root: Element, tabs: readonly Tab[]): void =>
  showPage(root, tabs, (snapshot) => {
    const sections = tabs
      .flatMap(({ section }) => section ?? [])
      .sort((a, b) => a.place - b.place)
      .map(({ create }) => create({ snapshot }));
    return {
      above: [],
      below: sections.flatMap(({ element }, n) => (n === 0 ? [element] : [divider(), element])),
      update: () => sections.forEach((section) => section.update()),
    };
  });
