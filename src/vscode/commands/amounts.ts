import * as vscode from 'vscode';
import { grouped } from '#base/text.ts';

// One word for one, another for more: a translation needs both.
export const documents = (n: number): string =>
  n === 1 ? vscode.l10n.t('1 document') : vscode.l10n.t('{0} documents', grouped(n));
export const sessions = (n: number): string =>
  n === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', grouped(n));
export const files = (n: number): string =>
  n === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', grouped(n));
