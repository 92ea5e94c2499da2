// The panel in the editor area.
import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable.ts';
import { openView, type OpenView, type ViewOptions } from './view.ts';

/** The panel in the editor area. */
export const panelView = 'loom.panel';

export type Panel = Disposable & {
  /** Shows the panel, in the editor area, at a tab. */
  open: (tab: string) => void;
};

/** The one panel in the editor area. Its page keeps what a person chose; VS Code keeps that over a reload of the window. */
export const registerPanel = (options: ViewOptions): Panel => {
  let shown: { panel: vscode.WebviewPanel; show: (tab: string) => void } | undefined;
  const fill = (panel: vscode.WebviewPanel, first?: string): void => {
    panel.iconPath = new vscode.ThemeIcon('database');
    // A page that is not there yet, or no more, gets the tab when it begins.
    let waiting = first;
    let there = false;
    const show = (tab: string): void => {
      if (there) open.post({ kind: 'show', tab });
      else waiting = tab;
    };
    const open: OpenView = openView(panel.webview, options, 'panel', () => {
      there = true;
      if (waiting !== undefined) show(waiting);
      waiting = undefined;
    });
    const hidden = panel.onDidChangeViewState(() => {
      if (panel.visible) return;
      there = false;
      open.sender.stop();
    });
    shown = { panel, show };
    panel.onDidDispose(() => {
      if (shown?.panel === panel) shown = undefined;
      vscode.Disposable.from(open, hidden).dispose();
    });
  };
  const title = vscode.l10n.t('Loom');
  const open = (tab: string): void => {
    if (shown !== undefined) {
      shown.panel.reveal();
      return shown.show(tab);
    }
    return fill(vscode.window.createWebviewPanel(panelView, title, vscode.ViewColumn.Active), tab);
  };
  const restored = vscode.window.registerWebviewPanelSerializer(panelView, {
    deserializeWebviewPanel: (panel) => {
      // There is one: a second that VS Code kept is let go.
      if (shown === undefined) fill(panel);
      else panel.dispose();
      return Promise.resolve();
    },
  });
  return { open, dispose: () => restored.dispose() };
};
