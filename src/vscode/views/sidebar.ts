// The sidebar.
import * as vscode from 'vscode';
import { sidebarView } from '#vscode/sidebarMenu.ts';
import { openView, type ViewOptions } from './view.ts';

/** What of the rooms stands beside the editors. Its page holds no state but what it is sent: hidden, it may go. */
export const registerSidebar = (options: ViewOptions): vscode.Disposable => {
  const provider: vscode.WebviewViewProvider = { resolveWebviewView: (view) => fill(view, options) };
  return vscode.window.registerWebviewViewProvider(sidebarView, provider);
};

const fill = (view: vscode.WebviewView, options: ViewOptions): void => {
  const open = openView(view.webview, options, 'sidebar');
  // A hidden page gets nothing; it begins again when it is shown.
  const hidden = view.onDidChangeVisibility(() => !view.visible && open.sender.stop());
  view.onDidDispose(() => vscode.Disposable.from(open, hidden).dispose());
};
