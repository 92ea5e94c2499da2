import { html } from './dom.ts';

export type TabBar = { element: HTMLElement; select: (tab: string) => void };

/**
 * Tabs over panels that fill the window, which the toolkit's do not. As WAI-ARIA's pattern for tabs: the arrow keys go from
 * one to the next.
 */
export const tabBar = (
  label: string,
  titles: readonly { id: string; title: string }[],
  choose: (tab: string) => void,
): TabBar => {
  const tabs = titles.map(({ id, title }) => {
    const tab = html(
      'button',
      { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, class: 'tab' },
      title,
    );
    tab.addEventListener('click', () => choose(id));
    return tab;
  });
  const element = html('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, ...tabs);
  element.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    tabs[next]?.focus();
    tabs[next]?.click();
  });
  return {
    element,
    select: (chosen) => {
      for (const [n, { id }] of titles.entries()) {
        tabs[n]?.setAttribute('aria-selected', String(id === chosen));
        tabs[n]?.setAttribute('tabindex', id === chosen ? '0' : '-1');
      }
    },
  };
};
