import type { DocumentRow, Snapshot } from '#vscode/views/protocol.ts';
import { bar } from './chart.ts';
import { button } from './components.ts';
import { html, type Child } from './dom.ts';
import { words } from './words.ts';

export type DrawerActions = { open: (id: string) => void; storeFile: () => void; search: () => void };

/** How full the drawer is, and what came into it last. */
export const drawerView = ({ drawer, documents }: Snapshot, actions: DrawerActions): Child[] => [
  html('h2', {}, words.drawer),
  size(drawer),
  ...(documents.length === 0 ? empty(actions) : list(documents, actions)),
];

const size = ({ usedBytes, maxBytes }: Snapshot['drawer']): HTMLElement => {
  const said = words.used(usedBytes, maxBytes);
  return html(
    'div',
    { class: 'terms' },
    html('div', { class: 'row' }, html('span', {}, words.size), html('span', { class: 'figures' }, said)),
    maxBytes > 0 ? bar([{ share: usedBytes / maxBytes, look: 'gain' }], said) : undefined,
  );
};

const empty = ({ storeFile }: DrawerActions): Child[] => [
  html('p', { class: 'strong' }, words.empty),
  html('p', { class: 'muted' }, words.emptyHint),
  html('p', {}, button(words.storeFile, 'primary', storeFile)),
];

const list = (documents: readonly DocumentRow[], { open, search }: DrawerActions): Child[] => [
  html('h3', {}, words.latest),
  html('ul', { class: 'documents' }, ...documents.map((row) => html('li', {}, documentButton(row, open)))),
  html('p', {}, button(words.search, 'secondary', search)),
];

const documentButton = (row: DocumentRow, open: (id: string) => void): HTMLElement => {
  const { id, title, tokens, tokensEstimated, anchorTokens } = row;
  const made = html(
    'button',
    { type: 'button', class: 'document', title, 'data-key': `document ${id}` },
    html('span', { class: 'row' }, html('span', { class: 'title' }, title), html('span', { class: 'muted' }, id)),
    html('span', { class: 'muted small' }, words.document(tokens, tokensEstimated, anchorTokens)),
  );
  made.addEventListener('click', () => open(id));
  return made;
};
