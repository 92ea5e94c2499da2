// Asks where a file shall lie.
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { workspaceFolders } from '#vscode/workspace.ts';

/** Where a person wants a file of this name; undefined where they thought better of it. The dialog asks about an older one. */
export const askFile = async (
  title: string,
  name: string,
  kinds: Record<string, string[]>,
): Promise<string | undefined> => {
  const uri = await vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(join(workspaceFolders()[0] ?? homedir(), name)),
    filters: kinds,
    saveLabel: vscode.l10n.t('Export'),
  });
  return uri?.fsPath;
};
