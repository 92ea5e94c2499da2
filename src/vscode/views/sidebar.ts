import * as vscode from 'vscode';
export const registerSidebar = (_deps: unknown): vscode.Disposable => ({ dispose: () => undefined });
