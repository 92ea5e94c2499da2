import * as vscode from 'vscode';
import { walkthroughId } from '#vscode/walkthrough.ts';
import { refuse, say } from '#vscode/ui/say.ts';

export const openWalkthrough = (extensionId: string): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#${walkthroughId}`, false);

/** Opens the chat in agent mode with a question typed; the person sends it. */
export const askAgent = async (): Promise<void> => {
  const query = vscode.l10n.t(
    'Store the largest log or JSON file of this workspace with Loom and tell me what is in it.',
  );
  try {
    await vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent', query, isPartialQuery: true });
  } catch {
    // The command is missing, or refused, where the chat is switched off.
    return refuse(
      vscode.l10n.t(
        'this VS Code has no chat switched on. Other clients can use Loom, too: copy the MCP configuration.',
      ),
    );
  }
  say(vscode.l10n.t('the question is typed: send it when you like.'));
};

const example = 'squares = [n * n for n in range(1000)]\nprint(f"{len(squares)} squares")\nsum(squares)\n';

/** Opens a Python cell of three lines, selected, so that it can be run at once. */
export const openExample = async (): Promise<void> => {
  const document = await vscode.workspace.openTextDocument({ language: 'python', content: example });
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(0, 0, document.lineCount - 1, 0);
  say(vscode.l10n.t('run it with Loom: Run Selection in Kernel.'));
};
