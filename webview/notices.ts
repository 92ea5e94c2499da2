import type { Status } from '#vscode/views/protocol.ts';
import { button } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { mega, percent } from '#webview/ui/format.ts';
import { post } from './host.ts';
import { fill, words } from './words.ts';

const notice = (title: string, hints: readonly string[], ...buttons: HTMLElement[]): HTMLElement =>
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
    button(words.showLog, 'secondary', () => post({ kind: 'runCommand', command: 'loom.showLog' })),
  );
};

const full = (
  { nearlyFull, usedBytes, maxBytes, whenFull }: Status,
  showSessions: () => void,
): HTMLElement | undefined =>
  nearlyFull
    ? notice(
        fill(words.nearlyFull, percent(usedBytes / maxBytes), mega(usedBytes), mega(maxBytes)),
        [whenFull === 'evict' ? words.evicts : words.refuses],
        button(words.showSessions, 'secondary', showSessions),
      )
    : undefined;

const untrusted = ({ trusted }: Status): HTMLElement | undefined =>
  trusted
    ? undefined
    : notice(
        words.untrusted,
        [words.untrustedHint],
        button(words.manageTrust, 'secondary', () => post({ kind: 'runCommand', command: 'workbench.trust.manage' })),
      );

/** What a person must know before they read on. */
export const notices = (status: Status, showSessions: () => void): Child[] => [
  readOnly(status),
  full(status, showSessions),
  untrusted(status),
];
