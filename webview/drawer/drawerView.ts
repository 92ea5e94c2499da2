import type { DocumentRow, Sidebar, Status } from '#vscode/views/protocol.ts';
import { bar } from '#webview/ui/chart.ts';
import { button } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { mega, number } from '#webview/ui/format.ts';
import { post } from '#webview/host.ts';
import { counted, fill, words } from '#webview/words.ts';

/** How full the drawer is, and what came into it last. */
export const drawerView = ({ status, documents }: Pick<Sidebar, 'status' | 'documents'>): Child[] => [
  html('h2', {}, words.drawer),
  size(status),
  ...(documents.length === 0 ? empty() : list(documents)),
];

const size = ({ usedBytes, maxBytes, role, nearlyFull }: Status): HTMLElement => {
  const said =
    maxBytes > 0 ? fill(words.used, mega(usedBytes), mega(maxBytes)) : fill(words.usedReadOnly, mega(usedBytes));
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
    button(words.storeActiveFile, 'primary', () => post({ kind: 'runCommand', command: 'loom.storeActiveFile' })),
  ),
];

const list = (documents: readonly DocumentRow[]): Child[] => [
  html('h3', {}, words.latest),
  html('ul', { class: 'documents' }, ...documents.map((row) => html('li', {}, documentButton(row)))),
  html(
    'p',
    { class: 'buttons' },
    button(words.openDrawer, 'secondary', () => post({ kind: 'runCommand', command: 'loom.openDrawer' })),
    button(words.search, 'secondary', () => post({ kind: 'runCommand', command: 'loom.searchDrawer' })),
  ),
];

const tokensOf = ({ tokens, tokensEstimated }: DocumentRow): string => {
  const said = counted(tokens, words.tokens);
  return tokensEstimated ? fill(words.about, said) : said;
};

const documentButton = (row: DocumentRow): HTMLElement => {
  const { id, title, anchorTokens } = row;
  const made = html(
    'button',
    { type: 'button', class: 'document', title, 'data-key': `document ${id}` },
    html('span', { class: 'row' }, html('span', { class: 'title' }, title), html('span', { class: 'muted' }, id)),
    html('span', { class: 'muted small' }, fill(words.document, tokensOf(row), number(anchorTokens))),
  );
  made.addEventListener('click', () => post({ kind: 'openDocument', id }));
  return made;
};
