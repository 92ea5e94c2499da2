// A person's cells.
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { executionText } from '#kernel/tools/executionText.ts';
import { untrusted } from '#mcp/trust.ts';
import type { KernelOutput } from './outputDocument.ts';

export type KernelDeps = Pick<Services, 'kernel' | 'interpreter' | 'workspace'> & {
  session: () => Promise<string>;
  output: KernelOutput;
};

/** Milliseconds that the command waits: a person sees in the status bar that the cell runs on. */
const waitMs = 24 * 3_600_000;
/** UTF-16 units of an output that are shown at once. */
const shownUnits = 200_000;

/** What is selected, or the line of the cursor. */
const selectedText = (): string | undefined => {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  return selection.isEmpty ? document.lineAt(selection.active.line).text : document.getText(selection);
};

export const kernelCommands = ({ kernel, interpreter, workspace, session, output }: KernelDeps) => {
  const trustedChoice = (): ReturnType<typeof interpreter> => {
    if (!workspace.trusted()) throw untrusted('Kernel');
    return interpreter();
  };
  return {
    'loom.kernel.runSelection': async () => {
      const code = selectedText();
      if (code === undefined || code.trim() === '') {
        void vscode.window.showInformationMessage(vscode.l10n.t('Loom: select the Python code to run first.'));
        return undefined;
      }
      const choice = await trustedChoice();
      const answer = await kernel.run({
        session: await session(),
        code,
        choice,
        fullOutput: true,
        wait: waitMs,
        units: shownUnits,
      });
      const text = executionText(answer, (words) => words);
      await output.show(text);
      return text;
    },
    'loom.kernel.interrupt': async () => {
      const { execution } = await kernel.interrupt({ session: await session() });
      const words =
        execution === undefined
          ? vscode.l10n.t('Loom: no cell is running.')
          : vscode.l10n.t('Loom: In [{0}] was told to stop.', execution);
      vscode.window.setStatusBarMessage(words, 5_000);
    },
    'loom.kernel.reset': async () => {
      await kernel.reset({ session: await session(), choice: await trustedChoice() });
      vscode.window.setStatusBarMessage(vscode.l10n.t('Loom: the kernel was restarted.'), 5_000);
    },
  };
};
