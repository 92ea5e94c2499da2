// Purge….
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { grouped } from '#base/text.ts';
import type { SessionInfo } from '#drawer/types.ts';
import * as amounts from '#vscode/ui/amounts.ts';
import { withProgress } from '#vscode/ui/progress.ts';
import { refuse, say } from '#vscode/ui/say.ts';

const folderOf = ({ root }: SessionInfo): string => (root === '' ? vscode.l10n.t('no folder') : basename(root));

const holds = ({ documents, bytes }: SessionInfo): string => `${amounts.documents(documents)}, ${amounts.size(bytes)}`;

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Asks for sessions; those that have expired are ticked already. */
const chooseSessions = async (all: readonly SessionInfo[], own: string): Promise<SessionInfo[]> => {
  const items = all
    .filter(({ documents, expired }) => documents > 0 || expired)
    .map((session) => ({
      session,
      picked: session.expired,
      label: `${session.client}: ${folderOf(session)}`,
      description: session.id === own ? vscode.l10n.t('this window’s') : session.root,
      detail: [
        holds(session),
        ...(session.kept > 0 ? [vscode.l10n.t('marked keep: {0}', grouped(session.kept))] : []),
        vscode.l10n.t('last used {0}', day(session.usedAt)),
        ...(session.expired ? [vscode.l10n.t('expired')] : []),
      ].join(' · '),
    }));
  if (items.length === 0) {
    refuse(vscode.l10n.t('the drawer is empty: there is nothing to purge.'));
    return [];
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Purge Sessions'),
    placeHolder: vscode.l10n.t('Sessions to purge; you are asked again'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return (chosen ?? []).map(({ session }) => session);
};

/** What the drawer itself says would go. */
const dryRun = async (drawer: Services['drawer'], ids: readonly string[], own: string): Promise<SessionInfo[]> => {
  const purges = await Promise.all(ids.map((session) => drawer.purge({ session, own, confirm: false })));
  return purges.flatMap(({ sessions }) => sessions);
};

const sum = (sessions: readonly SessionInfo[], of: 'documents' | 'bytes' | 'kept'): number =>
  sessions.reduce((total, session) => total + session[of], 0);

const confirmed = async (sessions: readonly SessionInfo[]): Promise<boolean> => {
  const [documents, kept] = [sum(sessions, 'documents'), sum(sessions, 'kept')];
  const words = vscode.l10n.t(
    'Purge {0} ({1}) in {2}, for good?',
    amounts.documents(documents),
    amounts.size(sum(sessions, 'bytes')),
    amounts.sessions(sessions.length),
  );
  const detail = [
    ...sessions.slice(0, 10).map((session) => `${session.client}: ${folderOf(session)}: ${holds(session)}`),
    ...(sessions.length > 10 ? [vscode.l10n.t('… and {0} more', amounts.sessions(sessions.length - 10))] : []),
    '',
    ...(kept > 0 ? [vscode.l10n.t('What is marked keep goes too: {0}.', amounts.documents(kept))] : []),
    vscode.l10n.t('Nothing of them stays on disk. Their ids will answer that they were purged.'),
  ].join('\n');
  const purge = vscode.l10n.t('Purge');
  return (await vscode.window.showWarningMessage(words, { modal: true, detail }, purge)) === purge;
};

/** Purges the session `named`, or sessions that a person picks; never without the numbers and a yes. Whether it did. */
export const purgeSessions = async (
  drawer: Services['drawer'],
  session: () => Promise<string>,
  named: unknown,
): Promise<boolean> => {
  const own = await session();
  const ids =
    typeof named === 'string' ? [named] : (await chooseSessions(await drawer.sessions({}), own)).map(({ id }) => id);
  if (ids.length === 0) return false;
  const sessions = await dryRun(drawer, ids, own);
  if (!(await confirmed(sessions))) return false;
  let [done, documents] = [0, 0];
  await withProgress(vscode.l10n.t('Loom: purging'), async ({ signal, progress }) => {
    for (const { id, documents: count } of sessions) {
      // One that was begun is finished.
      if (signal.aborted) return;
      progress(done / sessions.length, '');
      await drawer.purge({ session: id, own, confirm: true });
      done += 1;
      documents += count;
    }
  });
  say(vscode.l10n.t('purged {0} in {1}.', amounts.documents(documents), amounts.sessions(done)));
  return done === sessions.length;
};
