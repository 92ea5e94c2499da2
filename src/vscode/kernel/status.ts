// A cell that runs, in the status bar.
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';

const interrupt = 'loom.kernel.interrupt';

/** An item in the status bar while a cell runs; a click stops the cell. */
export const registerKernelStatus = (kernel: Services['kernel']): vscode.Disposable => {
  const item = vscode.window.createStatusBarItem('loom.kernel', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('Loom Kernel');
  item.command = interrupt;
  const busy = kernel.onBusy((execution) => {
    if (execution === undefined) return item.hide();
    item.text = `$(loading~spin) In [${execution}]`;
    item.tooltip = vscode.l10n.t('Loom’s Python kernel runs cell {0}. Click to interrupt it.', execution);
    item.show();
  });
  return vscode.Disposable.from(item, busy);
};
