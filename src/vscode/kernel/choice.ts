// Which Python a kernel of this window runs on.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Log } from '#base/log.ts';
import type { KernelChoice } from '#kernel/types.ts';
import type { ReadSettings } from '#base/settings.ts';
import { kernelSettings } from '#kernel/room.ts';
import { workspaceFolders } from '#vscode/workspace.ts';

/** The part of the Python extension's public API that is used. */
type PythonApi = {
  environments?: {
    getActiveEnvironmentPath: (resource?: vscode.Uri) => { path: string };
    resolveEnvironment: (path: { path: string }) => Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
};

/** The interpreter that a person chose in the Python extension; undefined without that extension or a choice. */
const chosenInterpreter = async (log: Log): Promise<string | undefined> => {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (extension === undefined) return undefined;
  try {
    const { environments } = await extension.activate();
    const active = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return active && (await environments?.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch (error) {
    log.warn(`the Python extension did not say which interpreter it uses: ${String(error)}`);
    return undefined;
  }
};

/** What a kernel of this window is started with. */
export const windowInterpreter = async (settings: ReadSettings, log: Log): Promise<KernelChoice> => {
  const { 'kernel.backend': backend, 'kernel.python': python } = settings(kernelSettings);
  const offered = python === '' ? await chosenInterpreter(log) : undefined;
  return {
    backend,
    python: python === '' ? undefined : python,
    offered: offered === undefined ? [] : [offered],
    cwd: workspaceFolders()[0] ?? homedir(),
  };
};
