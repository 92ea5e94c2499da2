import * as vscode from 'vscode';
import { asLoomError, type LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { CommandId } from '#vscode/contributions.ts';
import { say } from './say.ts';

/** A command's work: every id of the manifest has one, or the types do not fit. */
export type Commands = { [K in CommandId]: (...args: unknown[]) => unknown };

/** Registers every command. `show` tells the person what one refused, with the ways out. */
export const registerCommands = (commands: Commands, log: Log, show: (error: LoomError) => void): vscode.Disposable => {
  const guarded =
    (id: string, run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await run(...args);
      } catch (thrown) {
        const error = asLoomError(thrown);
        if (error.code === 'CANCELLED') return say(vscode.l10n.t('cancelled.'));
        log.error(`command ${id} failed`, thrown);
        return show(error);
      }
    };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, guarded(id, run))),
  );
};
