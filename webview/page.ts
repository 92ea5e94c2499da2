import type { Snapshot } from '#vscode/views/protocol.ts';
import { html, swap } from '#webview/ui/dom.ts';
import { failure, loading } from '#webview/ui/frame.ts';
import { listen, post } from './host.ts';
import { notices } from './notices.ts';
import type { Tab } from './tab.ts';
import { words } from './words.ts';

/** What a page is made of besides its notices, once there is something to show. */
export type Made = {
  above: readonly HTMLElement[];
  below: readonly HTMLElement[];
  /** Something may be different. */
  update: () => void;
};

/** Fills `root` with what `make` makes, or with why it cannot. `show`: a person asked for a tab. */
export const showPage = (
  root: Element,
  tabs: readonly Tab[],
  make: (snapshot: () => Snapshot) => Made,
  show?: (tab: string) => void,
): void => {
  let made: Made | undefined;
  let snapshot: Snapshot;
  const noticeBox = html('div', { class: 'notices' });
  const begin = (): void => {
    made = undefined;
    swap(root, loading(words.loading));
    post({ kind: 'ready' });
  };
  const update = (changes: Partial<Snapshot>): void => {
    snapshot = { ...snapshot, ...changes } as Snapshot;
    if (changes.status) swap(noticeBox, ...notices(snapshot.status, tabs));
    if (made === undefined) {
      made = make(() => snapshot);
      swap(root, ...made.above, noticeBox, ...made.below);
    }
    made.update();
  };
  listen((message) => {
    if (message.kind === 'snapshot') update(message.snapshot);
    else if (message.kind === 'changes' && made) update(message.changes);
    else if (message.kind === 'show') show?.(message.tab);
    else if (message.kind === 'error') {
      made = undefined;
      swap(root, ...failure(message.message, message.ways, begin));
    }
  });
  begin();
};
