// Commands: every one of every room, and what a person is told where one refuses.
import * as vscode from 'vscode';
import { asLoomError, type LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { say } from './say.ts';

type Run = (...args: unknown[]) => unknown;

/** Registers every command. `show` tells the person what one refused, with the ways out. */
export const registerCommands = (
  commands: Readonly<Record<string, Run>>,
  log: Log,
  show: (error: LoomError) => void,
): vscode.Disposable => {
  const guarded =
    (id: string, run: Run) =>
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
