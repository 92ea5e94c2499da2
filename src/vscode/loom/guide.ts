// The ways into Loom: the walkthrough, and a question that is typed for the person.
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
