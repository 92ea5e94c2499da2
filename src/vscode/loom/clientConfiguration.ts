// Loom in the configuration of other clients.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { installClient } from '#cli/clientFile.ts';
import { clientConfig, clientTargets, type ClientTarget, type ServerCommand } from '#cli/clients.ts';
import { say } from '#vscode/ui/say.ts';

export type ClientDeps = {
  /** The folder of the extension's programs; its path changes with each version. */
  programs: string;
  /** A folder of Loom's own whose path stays. */
  storage: string;
  drawer: string;
};

const launcherOf = (storage: string): string => join(storage, 'loom.cjs');

const writeLauncher = ({ programs, storage }: ClientDeps): void => {
  mkdirSync(storage, { recursive: true });
  writeFileSync(launcherOf(storage), `require(${JSON.stringify(join(programs, 'cli.cjs'))});\n`);
};

/** Points what other clients start at this version of the extension, where a configuration was ever copied. */
export const refreshLauncher = (deps: ClientDeps): void => {
  if (existsSync(launcherOf(deps.storage))) writeLauncher(deps);
};

/** zstd, which the drawer's content is compressed with, came with Node 22.15. */
const isRecent = (version: string): boolean => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 15);
};

/** The Node on the PATH where it is recent enough, else the one that VS Code itself brings. */
const node = async (): Promise<Pick<ServerCommand, 'command' | 'env'>> => {
  try {
    const { stdout } = await promisify(execFile)('node', ['-p', 'process.version + "\\n" + process.execPath']);
    const [version = '', path = ''] = stdout.split('\n');
    if (isRecent(version)) return { command: path, env: {} };
  } catch {
    // There is none: VS Code's own will do.
  }
  return { command: process.execPath, env: process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
};

const chooseClient = async (): Promise<ClientTarget | undefined> => {
  const nobody = { command: '', args: [], env: {} };
  const items = clientTargets.map((target) => {
    const { label, file } = clientConfig(target, nobody);
    return { label, description: file, target };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Copy MCP Configuration'),
    placeHolder: vscode.l10n.t('Which client shall use this drawer, too?'),
    matchOnDescription: true,
  });
  return chosen?.target;
};

const openFile = async (file: string): Promise<void> => {
  const uri = vscode.Uri.file(file);
  // A file that is not there yet opens under its name, to be saved.
  await vscode.window.showTextDocument(existsSync(file) ? uri : uri.with({ scheme: 'untitled' }));
};

/** Copies what makes another client start Loom on this drawer, and says where it belongs. */
export const copyClientConfiguration = async (deps: ClientDeps): Promise<void> => {
  const target = await chooseClient();
  if (target === undefined) return;
  writeLauncher(deps);
  const { command, env } = await node();
  const args = [launcherOf(deps.storage), 'mcp'];
  const config = clientConfig(target, { command, args, env: { ...env, LOOM_DB: deps.drawer } });
  await vscode.env.clipboard.writeText(config.text);
  const add = vscode.l10n.t('Add It for Me');
  const open = vscode.l10n.t('Open the File');
  const words = vscode.l10n.t(
    'Loom: copied. It belongs into {0}, beside what stands there. {1}',
    config.file,
    config.afterwards,
  );
  const chosen = await vscode.window.showInformationMessage(words, add, open);
  if (chosen === open) await openFile(config.file);
  if (chosen !== add) return;
  const { change, backup } = installClient(config);
  if (change === 'unchanged') say(vscode.l10n.t('{0} had it already.', config.file));
  else if (backup === undefined) say(vscode.l10n.t('{0} was written.', config.file));
  else say(vscode.l10n.t('{0} was changed; as it was it is kept as {1}.', config.file, basename(backup)));
};
