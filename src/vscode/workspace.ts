// The folders that the window has open.
import * as vscode from 'vscode';
import type { Workspace } from '#base/room.ts';
import type { ReadSettings } from '#base/settings.ts';
import { mcpSettings } from '#mcp/room.ts';

/** The root that names this window's session: the first folder, or none. */
export const workspaceRoot = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Every folder of the workspace that is on this machine's disk. */
export const workspaceFolders = (): string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);

/** The workspace as rooms see it. */
export const windowWorkspace = (settings: ReadSettings): Workspace => ({
  root: workspaceRoot,
  readable: () => [...workspaceFolders(), ...settings(mcpSettings).allowedDirs],
  writable: () => workspaceFolders()[0],
  trusted: () => vscode.workspace.isTrusted,
});
