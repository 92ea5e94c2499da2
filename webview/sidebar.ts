import { divider } from '#webview/ui/components.ts';
import { showPage, type Made } from './page.ts';
import type { Tab } from './tab.ts';

/** What of the rooms stands beside the editors. */
export const showSidebar = (root: Element, tabs: readonly Tab[]): void => {
  const make = (): Made => {
    const sections = tabs
      .flatMap(({ section }) => section ?? [])
      .sort((a, b) => a.place - b.place)
      .map(({ create }) => create());
    return {
      above: [],
      below: sections.flatMap(({ element }, n) => (n === 0 ? [element] : [divider(), element])),
      update: (snapshot) => sections.forEach((section) => section.update(snapshot)),
    };
  };
  showPage(root, tabs, make);
};
