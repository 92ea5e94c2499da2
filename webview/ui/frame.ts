import { button, progressRing } from './components.ts';
import { html, type Child } from './dom.ts';
import { post, run } from '#webview/host.ts';
import { words } from '#webview/words.ts';

export const loading = (said: string): HTMLElement =>
  html('div', { class: 'loading', role: 'status' }, progressRing(said), said);

/** Why there is nothing to see, and what can be done. */
export const failure = (message: string, ways: readonly string[], retry: () => void): Child[] => [
  html('p', { class: 'strong', role: 'alert' }, words.failed),
  html('p', { class: 'muted' }, message),
  html(
    'p',
    { class: 'buttons' },
    ...ways.map((label, index) => button(label, 'primary', () => post({ kind: 'way', index }))),
    button(words.retry, ways.length > 0 ? 'secondary' : 'primary', retry),
    // Now and then the log is the way out itself.
    ways.includes(words.showLog) ? undefined : button(words.showLog, 'secondary', () => run('loom.showLog')),
  ),
];
