import type { Panel, TabId } from '#vscode/views/protocol.ts';
import { keep, kept } from './host.ts';

/** One tab of the panel. */
export type Tab = {
  element: HTMLElement;
  /** It is looked at: it fetches what it shows. */
  shown: () => void;
  /** What it shows beside its rows changed. */
  update: (panel: Panel) => void;
};

export type TabContext = {
  /** What the extension said last. */
  panel: () => Panel;
  /** Goes to a tab, with other filters where they are given. */
  go: (tab: TabId, filters?: Record<string, string>) => void;
};

/** A tab's filters, as a person left them. */
export const filtersOf = (tab: TabId): Record<string, string> => kept().filters?.[tab] ?? {};
export const setFilter = (tab: TabId, name: string, value: string): void =>
  keep({ filters: { ...kept().filters, [tab]: { ...filtersOf(tab), [name]: value } } });
