import * as vscode from 'vscode';
import type { ErrorCode, LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Engine } from '#mcp/engine.ts';
import { keptKeys } from './encryption.ts';

export type ProblemDeps = { engine: Engine; secrets: vscode.SecretStorage; log: Log & { show: () => void } };
export type Way = { label: string; go: () => Promise<void> };

const takeOver = async ({ engine }: ProblemDeps): Promise<void> => {
  const yes = vscode.l10n.t('Take Over');
  const words = vscode.l10n.t(
    'Take Loom’s drawer over? Only if the other machine, or the program on it, is gone: it loses the drawer.',
  );
  if ((await vscode.window.showWarningMessage(words, { modal: true }, yes)) !== yes) return;
  await engine.call.unlock({ force: false });
};

/** Tries one more key; it is not kept, for only the person has it. */
const enterKey = async (
  { engine, secrets }: ProblemDeps,
  name: 'passphrase' | 'recoveryKey',
  prompt: string,
): Promise<void> => {
  const given = await vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true });
  if (given === undefined) return;
  await engine.call.setKeys({ keys: { ...(await keptKeys(secrets)), [name]: given } });
  await engine.call.health({});
  void vscode.window.showInformationMessage(vscode.l10n.t('Loom’s drawer is open.'));
};

/** The ways out of what keeps the drawer from opening. A code that stands not here is its caller's matter. */
export const waysOut = (deps: ProblemDeps): Partial<Record<ErrorCode, Way[]>> => {
  const reload: Way = {
    label: vscode.l10n.t('Reload Window'),
    go: async () => vscode.commands.executeCommand('workbench.action.reloadWindow'),
  };
  const log: Way = { label: vscode.l10n.t('Show Log'), go: async () => deps.log.show() };
  return {
    DRAWER_FOREIGN: [{ label: vscode.l10n.t('Take Over…'), go: () => takeOver(deps) }],
    DRAWER_KEY: [
      {
        label: vscode.l10n.t('Enter Passphrase…'),
        go: () => enterKey(deps, 'passphrase', vscode.l10n.t('Passphrase of Loom’s drawer')),
      },
      {
        label: vscode.l10n.t('Enter Recovery Key…'),
        go: () => enterKey(deps, 'recoveryKey', vscode.l10n.t('Recovery key of Loom’s drawer')),
      },
    ],
    DRAWER_NEWER: [reload],
    DRAWER_PROTOCOL: [reload],
    DRAWER_CORRUPT: [log],
    DRAWER_NETWORK: [log],
  };
};

/** Asks the person, once at a time, where only they can help a drawer that does not open. */
export const registerProblems = (deps: ProblemDeps): vscode.Disposable => {
  const known = waysOut(deps);
  const shown = new Set<ErrorCode>();
  const ask = async ({ code, message }: LoomError, offered: Way[]): Promise<void> => {
    const chosen = await vscode.window.showErrorMessage(message, ...offered.map(({ label }) => label));
    await offered.find(({ label }) => label === chosen)?.go();
    // Whoever closed it knows; it is asked again once something was tried.
    if (chosen !== undefined) shown.delete(code);
  };
  return deps.engine.onRefusal((error) => {
    const offered = known[error.code];
    if (offered === undefined || shown.has(error.code)) return;
    shown.add(error.code);
    ask(error, offered).catch((fault: unknown) => {
      shown.delete(error.code);
      deps.log.error('the way out failed', fault);
    });
  });
};
