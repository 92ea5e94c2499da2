import type { SessionInfo } from '#drawer/contents.ts';
import type { Snapshot } from '#vscode/views/protocol.ts';
import type { Choice } from '#webview/ui/components.ts';
import { fill, words } from './words.ts';

const folderOf = (root: string): string => root.split(/[\\/]/).findLast((part) => part !== '') ?? words.noRoot;

export const sessionName = ({ client, root }: SessionInfo): string => `${client} · ${folderOf(root)}`;

/** The name of a session by its id; one that is gone keeps its id. */
export const nameOf = ({ sessions }: Snapshot, id: string): string => {
  const found = sessions.find((session) => session.id === id);
  return found ? sessionName(found) : id;
};

/** All sessions, this window's first. */
export const sessionChoices = ({ sessions, session }: Snapshot): Choice[] => {
  const own = sessions.filter(({ id }) => id === session);
  const others = sessions.filter(({ id }) => id !== session);
  return [
    { value: '', title: words.allSessions },
    ...own.map((one) => ({ value: one.id, title: fill(words.thisSession, sessionName(one)) })),
    ...others.map((one) => ({ value: one.id, title: sessionName(one) })),
  ];
};
