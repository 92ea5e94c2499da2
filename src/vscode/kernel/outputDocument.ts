// What a person's cells answered, in an editor.
import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable.ts';

const scheme = 'loom-kernel';
/** UTF-16 units that the document keeps; the oldest lines go. */
const mostUnits = 1_000_000;

export type KernelOutput = Disposable & {
  /** Adds the answer of a cell and shows its first line, beside the editor that keeps the focus. */
  show: (text: string) => Promise<void>;
};

/** What a person's cells answered, in one read-only document. */
export const registerKernelOutput = (): KernelOutput => {
  const uri = vscode.Uri.from({ scheme, path: '/Kernel Output' });
  let content = '';
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => content,
  });
  /** Resolves when the document has the content: a change event is only the begin of it. */
  const updated = async (document: vscode.TextDocument): Promise<void> => {
    if (document.getText() === content) return;
    await new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || document.getText() !== content) return;
        listener.dispose();
        resolve();
      });
      changed.fire(uri);
    });
  };
  const show = async (text: string): Promise<void> => {
    const kept = content.slice(-Math.max(0, mostUnits - text.length));
    content = `${kept}${text.replaceAll('\r\n', '\n')}\n`;
    const document = await vscode.workspace.openTextDocument(uri);
    await updated(document);
    const first = new vscode.Position(document.positionAt(kept.length).line, 0);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    editor.revealRange(new vscode.Range(first, first), vscode.TextEditorRevealType.AtTop);
  };
  const held = vscode.Disposable.from(registered, changed);
  return { show, dispose: () => held.dispose() };
};
