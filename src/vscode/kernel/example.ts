// A cell to begin with.
import * as vscode from 'vscode';
import { say } from '#vscode/ui/say.ts';

const example = 'squares = [n * n for n in range(1000)]\nprint(f"{len(squares)} squares")\nsum(squares)\n';

/** Opens a Python cell of three lines, selected, so that it can be run at once. */
export const openExample = async (): Promise<void> => {
  const document = await vscode.workspace.openTextDocument({ language: 'python', content: example });
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(0, 0, document.lineCount - 1, 0);
  say(vscode.l10n.t('run it with Loom: Run Selection in Kernel.'));
};
