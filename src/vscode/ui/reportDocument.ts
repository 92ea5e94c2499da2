// A document that shows what a command found out.
import * as vscode from 'vscode';

const scheme = 'loom-report';

export type ReportDocument = vscode.Disposable & {
  /** Opens `text` in a read-only editor under `title`, in place of the one before. */
  show: (title: string, text: string) => Promise<void>;
};

/** What a command found out at length. */
export const registerReport = (): ReportDocument => {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: ({ path }) =>
      texts.get(path) ?? vscode.l10n.t('This report is gone: run its command again.'),
  });
  const show = async (title: string, text: string): Promise<void> => {
    const uri = vscode.Uri.from({ scheme, path: `/${title}` });
    texts.set(uri.path, text);
    changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  };
  return { show, dispose: () => vscode.Disposable.from(registered, changed).dispose() };
};
