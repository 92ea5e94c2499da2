// Amounts in words.
import * as vscode from 'vscode';
import { grouped, megabytes } from '#base/text.ts';

/** A size in the unit that a person would say it in. */
export const size = (bytes: number): string =>
  bytes < 2 ** 20 ? `${grouped(Math.ceil(bytes / 1024))} KB` : megabytes(bytes);

// One word for one, another for more: a translation needs both.
export const documents = (n: number): string =>
  n === 1 ? vscode.l10n.t('1 document') : vscode.l10n.t('{0} documents', grouped(n));
export const sessions = (n: number): string =>
  n === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', grouped(n));
export const files = (n: number): string =>
  n === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', grouped(n));
