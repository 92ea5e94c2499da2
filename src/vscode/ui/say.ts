// Tells a person how a command went.
import * as vscode from 'vscode';

/** Milliseconds that the outcome of a command stands in the status bar. */
const shownMs = 8_000;

/** Says in the status bar what a command came to. */
export const say = (words: string): void => {
  vscode.window.setStatusBarMessage(`$(archive) ${vscode.l10n.t('Loom: {0}', words)}`, shownMs);
};

/** Tells a person why a command did nothing, and how it would. */
export const refuse = (words: string): undefined => {
  void vscode.window.showInformationMessage(vscode.l10n.t('Loom: {0}', words));
  return undefined;
};
