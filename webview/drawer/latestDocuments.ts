import type { DocumentInfo } from '#drawer/contents.ts';
import type { Status } from '#vscode/views/protocol.ts';
import { bar } from '#webview/ui/chart.ts';
import { button } from '#webview/ui/components.ts';
import { html, swap, type Child } from '#webview/ui/dom.ts';
import { number } from '#webview/ui/format.ts';
import { repeating } from '#webview/ui/repeating.ts';
import { run } from '#webview/host.ts';
import type { Part, TabContext } from '#webview/tab.ts';
import { fill } from '#webview/words.ts';
import { ask, openDocument, tokensOf, usedOf, words } from './drawer.ts';

/** Documents of all sessions that are shown, the newest first. */
const latest = 8;

const content = (status: Status, documents: readonly DocumentInfo[]): Child[] => [
  html('h2', {}, words.drawer),
  size(status),
  ...(documents.length === 0 ? empty() : list(documents)),
];

const size = (status: Status): HTMLElement => {
  const { usedBytes, maxBytes, role, nearlyFull } = status;
  const said = usedOf(status);
  return html(
    'div',
    { class: 'terms' },
    html('div', { class: 'row' }, html('span', {}, words.size), html('span', { class: 'figures' }, said)),
    maxBytes > 0 ? bar([{ share: usedBytes / maxBytes, look: nearlyFull ? 'full' : 'gain' }], said) : undefined,
    role === 'client' ? html('p', { class: 'muted small' }, words.elsewhere) : undefined,
  );
};

const empty = (): Child[] => [
  html('p', { class: 'strong' }, words.empty),
  html('p', { class: 'muted' }, words.emptyHint),
  html(
    'p',
    {},
    button(words.storeActiveFile, 'primary', () => run('loom.storeActiveFile')),
  ),
];

const list = (documents: readonly DocumentInfo[]): Child[] => [
  html('h3', {}, words.latest),
  html('ul', { class: 'documents' }, ...documents.map((row) => html('li', {}, documentButton(row)))),
  html(
    'p',
    { class: 'buttons' },
    button(words.openDrawer, 'secondary', () => run('loom.openDrawer')),
    button(words.search, 'secondary', () => run('loom.searchDrawer')),
  ),
];

const documentButton = (row: DocumentInfo): HTMLElement => {
  const { id, title, anchorTokens } = row;
  const made = html(
    'button',
    { type: 'button', class: 'document', title, 'data-key': `document ${id}` },
    html('span', { class: 'row' }, html('span', { class: 'title' }, title), html('span', { class: 'muted' }, id)),
    html('span', { class: 'muted small' }, fill(words.document, tokensOf(row), number(anchorTokens))),
  );
  made.addEventListener('click', () => openDocument(id));
  return made;
};

/** How full the drawer is, and what came into it last. */
export const latestDocuments = ({ snapshot }: Pick<TabContext, 'snapshot'>): Part => {
  const element = html('section', {});
  const refresh = repeating(
    async () => ({ documents: await ask('latest', { limit: latest }), status: snapshot().status }),
    ({ status, documents }) => swap(element, ...content(status, documents)),
    (message) => swap(element, html('p', { role: 'alert' }, message)),
  );
  return { element, update: refresh };
};
