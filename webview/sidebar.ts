import type { Sidebar } from '#vscode/views/protocol.ts';
import { divider } from '#webview/ui/components.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { failure, loading } from '#webview/ui/frame.ts';
import { kept, listen, post } from './host.ts';
import { notices } from './notices.ts';
import type { Section, Tab } from './tab.ts';
import { words } from './words.ts';

/** Notices and sections; what changes is put into its own. */
type Parts = { noticeBox: HTMLElement; sections: Section[] };

const makeParts = (tabs: readonly Tab[]): Parts => ({
  noticeBox: html('div', {}),
  sections: tabs
    .flatMap(({ section }) => section ?? [])
    .sort((a, b) => a.place - b.place)
    .map(({ create }) => create()),
});

/** What of the rooms stands beside the editors. */
export const showSidebar = (root: HTMLElement, tabs: readonly Tab[]): void => {
  let parts: Parts | undefined;
  let shown: Sidebar | undefined;
  const begin = (): void => {
    parts = undefined;
    swap(root, loading(words.loading));
    post({ kind: 'ready', span: kept().span });
  };
  const update = (changes: Partial<Sidebar>): void => {
    shown = { ...shown, ...changes } as Sidebar;
    if (parts === undefined) {
      parts = makeParts(tabs);
      const elements = parts.sections.flatMap(({ element }) => [divider(), element]);
      swap(root, parts.noticeBox, ...elements.slice(1));
    }
    if (changes.status) swap(parts.noticeBox, ...notices(shown.status, tabs));
    for (const section of parts.sections) section.update(shown, changes);
  };
  listen((message) => {
    if (message.kind === 'snapshot') update(message.snapshot as Sidebar);
    else if (message.kind === 'changes' && parts) update(message.changes as Partial<Sidebar>);
    else if (message.kind === 'error') {
      parts = undefined;
      swap(root, ...failure(message.message, message.ways, begin));
    }
  });
  begin();
};
