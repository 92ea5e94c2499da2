import type { SessionInfo } from '#drawer/contents.ts';
import type { Status } from '#vscode/views/protocol.ts';
import { button } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { facts } from '#webview/ui/facts.ts';
import { fully, mega, moment, number, percent, size } from '#webview/ui/format.ts';
import { run } from '#webview/host.ts';
import { listPane } from '#webview/ui/listPane.ts';
import { notice } from '#webview/notices.ts';
import { sessionName } from '#webview/sessionNames.ts';
import { defineTab, type Part, type TabContext } from '#webview/tab.ts';
import type { Column } from '#webview/ui/virtualList.ts';
import { counted, fill } from '#webview/words.ts';
import { usedOf, words } from './drawer.ts';

const expiry = ({ expired, expiresAt }: SessionInfo): string => (expired ? words.expired : moment(expiresAt));

const columns: readonly Column<SessionInfo>[] = [
  { key: 'client', title: words.client, content: ({ client }) => client },
  { key: 'root', title: words.root, content: ({ root }) => root || words.noRoot },
  { key: 'documents', title: words.documents, content: ({ documents }) => number(documents) },
  { key: 'size', title: words.size, content: ({ bytes }) => size(bytes) },
  { key: 'when', title: words.lastUse, content: ({ usedAt }) => moment(usedAt) },
  { key: 'expires', title: words.expires, content: expiry },
];

const holds = ({ documents, bytes, kept }: SessionInfo): string =>
  [
    counted(documents, words.documentCount),
    size(bytes),
    ...(kept > 0 ? [fill(words.keptDocuments, number(kept))] : []),
  ].join(', ');

const detail = (row: SessionInfo, { snapshot, go }: TabContext): Child[] => [
  html('h2', {}, sessionName(row)),
  html(
    'p',
    { class: 'buttons' },
    button(words.showDocuments, 'primary', () => go('documents', { session: row.id })),
    button(words.purge, 'secondary', () => run('loom.purge', row.id)),
  ),
  facts(
    [words.client, row.id === snapshot().session ? `${row.client} (${words.own})` : row.client],
    [words.root, row.root || words.noRoot],
    [words.holds, holds(row)],
    [words.lastUse, fully(row.usedAt)],
    [words.expires, row.expired ? words.expired : fully(row.expiresAt)],
    [words.created, fully(row.createdAt)],
    [words.id, row.id],
  ),
];

const empty = (): Child[] => [
  html('p', { class: 'strong' }, words.noSessions),
  html('p', { class: 'muted' }, words.noSessionsHint),
];

const drawerSaid = (status: Status): string =>
  [`${words.drawer}: ${usedOf(status)}.`, ...(status.role === 'client' ? [words.elsewhere] : [])].join(' ');

const full = ({ nearlyFull, usedBytes, maxBytes, whenFull }: Status): HTMLElement | undefined =>
  nearlyFull
    ? notice(
        fill(words.nearlyFull, percent(usedBytes / maxBytes), mega(usedBytes), mega(maxBytes)),
        [whenFull === 'evict' ? words.evicts : words.refuses],
        button(words.showSessions, 'secondary', () => run('loom.openDrawer', 'sessions')),
      )
    : undefined;

const create = (context: TabContext): Part => {
  const drawer = html('span', { class: 'muted' });
  const pane = listPane<SessionInfo>({
    tab: 'sessions',
    label: words.sessions,
    columns,
    keyOf: ({ id }) => id,
    look: ({ expired }) => (expired ? 'expired' : ''),
    // By last use: what moves up is no new row.
    newestFirst: false,
    fetch: ({ offset, limit }) => {
      const { sessions } = context.snapshot();
      return Promise.resolve({ rows: sessions.slice(offset, offset + limit), total: sessions.length });
    },
    tools: [drawer],
    counted: words.sessionCount,
    empty,
    noSelection: words.noSessionSelected,
    detail: (row) => detail(row, context),
    open: ({ id }) => context.go('documents', { session: id }),
  });
  return {
    element: pane.element,
    update: () => {
      drawer.textContent = drawerSaid(context.snapshot().status);
      pane.begin();
    },
  };
};

/** Who stored, where, and until when it is kept. */
export const sessions = defineTab({ id: 'sessions', title: words.sessions, place: 2, create, notice: full });
