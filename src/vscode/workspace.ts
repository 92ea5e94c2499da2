import * as vscode from 'vscode';

/** The root that names this window's session: the first folder, or none. */
export const workspaceRoot = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Every folder of the workspace that is on this machine's disk. */
export const workspaceFolders = (): string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
