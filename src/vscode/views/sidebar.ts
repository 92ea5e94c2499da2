// The sidebar.
import * as vscode from 'vscode';
import type { Span } from '#ledger/types.ts';
import { sidebarView } from '#vscode/sidebarMenu.ts';
import { sidebarSnapshot } from './snapshot.ts';
import { openView, type ViewOptions } from './view.ts';

/** The view of the ledger and the drawer. Its page holds no state but what it is sent: hidden, it may go. */
export const registerSidebar = (options: ViewOptions): vscode.Disposable => {
  const provider: vscode.WebviewViewProvider = { resolveWebviewView: (view) => fill(view, options) };
  return vscode.window.registerWebviewViewProvider(sidebarView, provider);
};

const fill = (view: vscode.WebviewView, options: ViewOptions): void => {
  let span: Span = 'day';
  const open = openView(view.webview, options, {
    view: 'sidebar',
    snapshot: () => sidebarSnapshot(options.source, span),
    begun: (message) => {
      span = message.span ?? span;
    },
    received: (message) => {
      if (message.kind !== 'span') return;
      span = message.span;
      open.sender.changed();
    },
  });
  // A hidden page gets nothing; it begins again when it is shown.
  const hidden = view.onDidChangeVisibility(() => !view.visible && open.sender.stop());
  view.onDidDispose(() => vscode.Disposable.from(open, hidden).dispose());
};
