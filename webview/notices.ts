import type { Status } from '#vscode/views/protocol.ts';
import { button } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { post, run } from './host.ts';
import type { Tab } from './tab.ts';
import { fill, words } from './words.ts';

/** What a person must know, with what they can do about it. */
export const notice = (title: string, hints: readonly string[], ...buttons: HTMLElement[]): HTMLElement =>
  html(
    'div',
    { class: 'notice' },
    html('p', { class: 'strong' }, title),
    ...hints.map((hint) => html('p', {}, hint)),
    buttons.length > 0 ? html('p', { class: 'buttons' }, ...buttons) : undefined,
  );

const readOnly = ({ role, problem, missing }: Status): HTMLElement | undefined => {
  if (role !== 'view') return undefined;
  const hints = [problem ?? '', ...missing.map((what) => fill(words.missing, what))].filter((hint) => hint !== '');
  return notice(
    words.readOnly,
    hints,
    button(words.retry, 'primary', () => post({ kind: 'ready' })),
    button(words.showLog, 'secondary', () => run('loom.showLog')),
  );
};

const untrusted = ({ trusted }: Status): HTMLElement | undefined =>
  trusted
    ? undefined
    : notice(
        words.untrusted,
        [words.untrustedHint],
        button(words.manageTrust, 'secondary', () => run('workbench.trust.manage')),
      );

/** What a person must know before they read on. */
export const notices = (status: Status, tabs: readonly Tab[]): Child[] => [
  readOnly(status),
  ...tabs.map((tab) => tab.notice?.(status)),
  untrusted(status),
];
