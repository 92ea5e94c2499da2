import * as vscode from 'vscode';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { CommandId } from '#vscode/contributions.ts';

/** A command's work: every id of the manifest has one, or the types do not fit. */
export type Commands = { [K in CommandId]: (...args: unknown[]) => unknown };

/** Registers every command. What one throws is shown to the person with a way to the log. */
export const registerCommands = (commands: Commands, log: Log & { show: () => void }): vscode.Disposable => {
  const guarded =
    (id: string, run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await run(...args);
      } catch (error) {
        log.error(`command ${id} failed`, error);
        const words = error instanceof LoomError ? error.message : vscode.l10n.t('Loom failed: {0}', String(error));
        const show = vscode.l10n.t('Show Log');
        void vscode.window.showErrorMessage(words, show).then((chosen) => chosen === show && log.show());
        return undefined;
      }
    };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, guarded(id, run))),
  );
};
