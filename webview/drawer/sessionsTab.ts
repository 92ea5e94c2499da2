import type { SessionInfo, Status } from '#vscode/views/protocol.ts';
import { button } from '#webview/ui/components.ts';
import { html, type Child } from '#webview/ui/dom.ts';
import { facts } from '#webview/ui/facts.ts';
import { fully, mega, moment, number, size } from '#webview/ui/format.ts';
import { post } from '#webview/host.ts';
import { listPane } from '#webview/ui/listPane.ts';
import { sessionName } from '#webview/sessionNames.ts';
import type { Tab, TabContext } from '#webview/tab.ts';
import type { Column } from '#webview/ui/virtualList.ts';
import { counted, fill, words } from '#webview/words.ts';

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

const detail = (row: SessionInfo, { panel, go }: TabContext): Child[] => [
  html('h2', {}, sessionName(row)),
  html(
    'p',
    { class: 'buttons' },
    button(words.showDocuments, 'primary', () => go('documents', { session: row.id })),
    button(words.purge, 'secondary', () => post({ kind: 'runCommand', command: 'loom.purge', argument: row.id })),
  ),
  facts(
    [words.client, row.id === panel().session ? `${row.client} (${words.own})` : row.client],
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

const drawerSaid = ({ usedBytes, maxBytes, role }: Status): string => {
  const used =
    maxBytes > 0 ? fill(words.used, mega(usedBytes), mega(maxBytes)) : fill(words.usedReadOnly, mega(usedBytes));
  return [`${words.drawer}: ${used}.`, ...(role === 'client' ? [words.elsewhere] : [])].join(' ');
};

/** Who stored, where, and until when it is kept. */
export const sessionsTab = (context: TabContext): Tab => {
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
      const { sessions } = context.panel();
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
    shown: () => pane.begin(),
    update: ({ status }) => (drawer.textContent = drawerSaid(status)),
  };
};
