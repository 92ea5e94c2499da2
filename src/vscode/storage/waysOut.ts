// The ways out of a refusal.
import * as vscode from 'vscode';
import type { ErrorCode } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Services } from '#base/room.ts';
import { openSettings } from '#vscode/settings.ts';
import { keptKeys } from './encryption.ts';

export type WayDeps = {
  storage: Services['storage'];
  secrets: vscode.SecretStorage;
  log: Log & { show: () => void };
};

/** What a person can do about a refusal. */
export type Way = { label: string; go: () => Promise<unknown> };

const takeOver = async ({ storage }: WayDeps): Promise<void> => {
  const yes = vscode.l10n.t('Take Over');
  const words = vscode.l10n.t(
    'Take Loom’s drawer over? Only if the other machine, or the program on it, is gone: it loses the drawer.',
  );
  if ((await vscode.window.showWarningMessage(words, { modal: true }, yes)) !== yes) return;
  await storage.unlock({ force: false });
};

/** Tries one more key; it is not kept, for only the person has it. */
const enterKey = async (
  { storage, secrets }: WayDeps,
  name: 'passphrase' | 'recoveryKey',
  prompt: string,
): Promise<void> => {
  const given = await vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true });
  if (given === undefined) return;
  await storage.setKeys({ keys: { ...(await keptKeys(secrets)), [name]: given } });
  await storage.health({});
  void vscode.window.showInformationMessage(vscode.l10n.t('Loom’s drawer is open.'));
};

const run = async (command: string): Promise<unknown> => vscode.commands.executeCommand(command);

/** The ways out of a refusal, the best first. */
export const waysOut = (deps: WayDeps, code: ErrorCode): Way[] => {
  const reload = { label: vscode.l10n.t('Reload Window'), go: () => run('workbench.action.reloadWindow') };
  const log = { label: vscode.l10n.t('Show Log'), go: async () => deps.log.show() };
  const settings = (filter: string): Way => ({
    label: vscode.l10n.t('Open Settings'),
    go: () => openSettings(filter),
  });
  const purge = { label: vscode.l10n.t('Purge…'), go: () => run('loom.purge') };
  const passphrase = {
    label: vscode.l10n.t('Enter Passphrase…'),
    go: () => enterKey(deps, 'passphrase', vscode.l10n.t('Passphrase of Loom’s drawer')),
  };
  const recoveryKey = {
    label: vscode.l10n.t('Enter Recovery Key…'),
    go: () => enterKey(deps, 'recoveryKey', vscode.l10n.t('Recovery key of Loom’s drawer')),
  };
  const ways: Partial<Record<ErrorCode, Way[]>> = {
    DRAWER_FOREIGN: [{ label: vscode.l10n.t('Take Over…'), go: () => takeOver(deps) }],
    DRAWER_KEY: [passphrase, recoveryKey],
    DRAWER_NEWER: [reload],
    DRAWER_PROTOCOL: [reload],
    DRAWER_FULL: [purge, settings('loom.drawer')],
    TOO_LARGE: [settings('loom.drawer.maxSizeMB')],
    UNTRUSTED_WORKSPACE: [{ label: vscode.l10n.t('Manage Workspace Trust'), go: () => run('workbench.trust.manage') }],
    KERNEL_START_FAILED: [settings('loom.kernel'), log],
    KERNEL_BUSY: [{ label: vscode.l10n.t('Interrupt Kernel'), go: () => run('loom.kernel.interrupt') }],
    DRAWER_CORRUPT: [log],
    DRAWER_NETWORK: [log],
    DRAWER_UNWRITABLE: [log],
    ENGINE_GONE: [log],
    INTERNAL: [log],
  };
  return ways[code] ?? [];
};
