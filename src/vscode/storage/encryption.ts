// loom.encryption: how the drawer lies on disk.
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import { newSecret } from '#storage/sealing/keySlots.ts';
import type { Keys, Sealing } from '#storage/types.ts';
import { storageSettings } from '#storage/room.ts';
import { onSettingChange } from '#vscode/settings.ts';

type Kind = Sealing['kind'];

const secretKey = 'loom.drawer.secret';
const passphraseKey = 'loom.drawer.passphrase';

/** What VS Code keeps that may open the drawer. */
export const keptKeys = async (secrets: vscode.SecretStorage): Promise<Keys> => ({
  secret: await secrets.get(secretKey),
  passphrase: await secrets.get(passphraseKey),
});

/** Some systems have no keyring: a secret goes in and nothing comes out. Nothing may be sealed under such a one. */
const keepSecret = async (secrets: vscode.SecretStorage, secret: string): Promise<void> => {
  await secrets.store(secretKey, secret);
  if ((await secrets.get(secretKey)) === secret) return;
  throw new LoomError(
    'DRAWER_KEY',
    vscode.l10n.t(
      'This system keeps no secrets for VS Code, so the drawer stays as it is. Set loom.encryption to "passphrase", or set up a keyring.',
    ),
  );
};

const askPassphrase = async (): Promise<string | undefined> => {
  const ask = (prompt: string): Thenable<string | undefined> =>
    vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true });
  const first = await ask(vscode.l10n.t('Passphrase for Loom’s drawer, at least 8 characters'));
  if (first === undefined) return undefined;
  const second = await ask(vscode.l10n.t('The same passphrase again'));
  if (second === undefined) return undefined;
  if (first === second) return first;
  throw new LoomError('INVALID_ARGUMENTS', vscode.l10n.t('The two passphrases differ; the drawer stays as it is.'));
};

/** What the person wants to seal with; undefined where they thought better of it. */
const askSealing = async (kind: Kind, secrets: vscode.SecretStorage): Promise<Sealing | undefined> => {
  if (kind === 'secretStorage') {
    const secret = newSecret();
    await keepSecret(secrets, secret);
    return { kind, secret };
  }
  if (kind === 'passphrase') {
    const passphrase = await askPassphrase();
    return passphrase === undefined ? undefined : { kind, passphrase };
  }
  const decrypt = vscode.l10n.t('Decrypt');
  const words = vscode.l10n.t('Write Loom’s drawer to disk unencrypted?');
  const chosen = await vscode.window.showWarningMessage(words, { modal: true }, decrypt);
  return chosen === decrypt ? { kind } : undefined;
};

const showRecoveryKey = async (key: string): Promise<void> => {
  const copy = vscode.l10n.t('Copy');
  const detail = vscode.l10n.t(
    '{0}\n\nIt opens the drawer if the keyring or the passphrase is lost. It is shown only now: keep it somewhere safe.',
    key,
  );
  const words = vscode.l10n.t('Loom’s drawer is encrypted. This is its recovery key.');
  const chosen = await vscode.window.showInformationMessage(words, { modal: true, detail }, copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(key);
};

export type EncryptionDeps = Pick<Services, 'storage' | 'settings'> & { secrets: vscode.SecretStorage; log: Log };

/** Seals the drawer as the setting says, at once. A person who cancels finds the setting as the drawer is. */
const apply = async ({ storage, settings, secrets, log }: EncryptionDeps): Promise<void> => {
  const wanted: Kind = settings(storageSettings).encryption;
  const { sealed } = await storage.health({});
  if (wanted === sealed) return;
  const before = await keptKeys(secrets);
  try {
    const sealing = await askSealing(wanted, secrets);
    if (sealing === undefined) throw new vscode.CancellationError();
    const { recoveryKey } = await storage.seal({ sealing });
    if (sealing.kind === 'passphrase') await secrets.store(passphraseKey, sealing.passphrase);
    else await secrets.delete(passphraseKey);
    if (sealing.kind !== 'secretStorage') await secrets.delete(secretKey);
    log.info(`the drawer is sealed: ${sealing.kind}`);
    if (recoveryKey !== undefined) await showRecoveryKey(recoveryKey);
  } catch (error) {
    if (before.secret === undefined) await secrets.delete(secretKey);
    else await secrets.store(secretKey, before.secret);
    await vscode.workspace
      .getConfiguration()
      .update('loom.encryption', sealed === 'off' ? undefined : sealed, vscode.ConfigurationTarget.Global);
    if (error instanceof vscode.CancellationError) return;
    log.error('the drawer was not sealed anew', error);
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
};

/** Follows `loom.encryption`, in the window where the person is, and tells the storage when another one changed the keys. */
export const registerEncryption = (deps: EncryptionDeps): vscode.Disposable => {
  let applying = Promise.resolve();
  return vscode.Disposable.from(
    onSettingChange(['encryption'], () => {
      if (!vscode.window.state.focused) return;
      applying = applying.then(() => apply(deps)).catch((error: unknown) => deps.log.error('encryption failed', error));
    }),
    deps.secrets.onDidChange(({ key }) => {
      if (key !== secretKey && key !== passphraseKey) return;
      keptKeys(deps.secrets)
        .then((keys) => deps.storage.setKeys({ keys }))
        .catch((error: unknown) => deps.log.error('the keys were not passed on', error));
    }),
  );
};
