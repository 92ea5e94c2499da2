import type { FromWebview, Snapshot, ToWebview } from '#vscode/views/protocol.ts';
import { billView } from './bill.ts';
import { button, divider, progressRing, registerComponents, tabs } from './components.ts';
import { html, type Child } from './dom.ts';
import { drawerView } from './drawer.ts';
import { words } from './words.ts';

/** What survives the page: which tab a person chose. */
type Kept = { scope: 'session' | 'life' };

const vscode = acquireVsCodeApi<Kept>();
const root = document.getElementById('sidebar')!;
const post = (message: FromWebview): void => vscode.postMessage(message);

/** Puts `content` in place of what was there; the focus stays on the control it was on, where there still is one. */
const show = (...content: Child[]): void => {
  const key = document.activeElement?.getAttribute('data-key');
  root.replaceChildren(...content.filter((child) => child !== undefined));
  if (key) root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
};

const showLoading = (): void =>
  show(html('div', { class: 'loading', role: 'status' }, progressRing(words.loading), words.loading));

const showError = (message: string): void =>
  show(
    html('p', { class: 'strong', role: 'alert' }, words.failed),
    html('p', { class: 'muted' }, message),
    html(
      'p',
      { class: 'buttons' },
      button(words.retry, 'primary', () => {
        showLoading();
        post({ kind: 'ready' });
      }),
      button(words.showLog, 'secondary', () => post({ kind: 'runCommand', command: 'loom.showLog' })),
    ),
  );

const showSnapshot = (snapshot: Snapshot): void => {
  const { session, life, gainLine } = snapshot;
  show(
    html('h2', {}, words.ledger),
    tabs(
      words.scopes,
      [
        { id: 'session', title: words.session, content: billView(session, gainLine) },
        { id: 'life', title: words.life, content: billView(life, gainLine) },
      ],
      vscode.getState()?.scope ?? 'session',
      (id) => vscode.setState({ scope: id === 'life' ? 'life' : 'session' }),
    ),
    divider(),
    ...drawerView(snapshot, {
      open: (id) => post({ kind: 'openDocument', id }),
      storeFile: () => post({ kind: 'runCommand', command: 'loom.storeActiveFile' }),
      search: () => post({ kind: 'runCommand', command: 'loom.searchDrawer' }),
    }),
  );
};

registerComponents();
showLoading();
// Only the extension posts into its own webview.
window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => {
  if (data.kind === 'snapshot') showSnapshot(data.snapshot);
  else showError(data.message);
});
post({ kind: 'ready' });
