// Where hook processes find the archive.
import { env, execPath } from 'node:process';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Window } from '#vscode/defineWindowRoom.ts';

/**
 * Tells hook processes, which inherit the extension host's environment, where this window listens. VS Code starts them from
 * media/agent/archive while `loom.archive.enabled` is on; where these variables are gone they do nothing.
 *
 * The Node that they run on is VS Code's own: there may be no other.
 */
export const registerHooks = ({ host, services, programs, log }: Window): vscode.Disposable => {
  let gone = false;
  const tell = async (): Promise<void> => {
    const { port } = new URL((await host).url);
    if (gone) return;
    env['LOOM_HOOK_NODE'] = execPath;
    env['LOOM_HOOK'] = join(programs, 'hook.cjs');
    env['LOOM_ARCHIVE'] = `${port} ${services.archive.token}`;
  };
  tell().catch((error: unknown) => log.error('the archive is not reachable for hooks', error));
  return {
    dispose: () => {
      gone = true;
      for (const name of ['LOOM_ARCHIVE', 'LOOM_HOOK', 'LOOM_HOOK_NODE']) delete env[name];
    },
  };
};
