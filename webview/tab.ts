import type { Snapshot, Status } from '#vscode/views/protocol.ts';
import { keep, kept } from './host.ts';

/** One tab of the panel, and what of its room stands elsewhere. */
export type Tab = {
  /** Names it in what is kept, and its list for the style sheets. */
  id: string;
  title: string;
  /** Tabs stand in the order of their places. */
  place: number;
  create: (context: TabContext) => Part;
  /** Its part of the sidebar. */
  section?: { place: number; create: (context: Pick<TabContext, 'snapshot'>) => Part };
  /** What a person must know before they read on; undefined: nothing. */
  notice?: (status: Status) => HTMLElement | undefined;
};

export type Part = {
  element: HTMLElement;
  /** It is looked at, and something may be different: it fetches what it shows. */
  update: () => void;
};

export type TabContext = {
  /** What the extension said last. */
  snapshot: () => Snapshot;
  /** Goes to a tab, with other filters where they are given. */
  go: (tab: string, filters?: Record<string, string>) => void;
};

export const defineTab = (tab: Tab): Tab => tab;

/** A tab's filters, as a person left them. */
export const filtersOf = (tab: string): Record<string, string> => kept().filters?.[tab] ?? {};
export const setFilter = (tab: string, name: string, value: string): void =>
  keep({ filters: { ...kept().filters, [tab]: { ...filtersOf(tab), [name]: value } } });
