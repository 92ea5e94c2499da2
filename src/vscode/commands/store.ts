import { basename } from 'node:path';
import * as vscode from 'vscode';
import { encodeText, grouped } from '#base/text.ts';
import type { Stored } from '#drawer/service.ts';
import type { EngineClient } from '#mcp/engine.ts';

export type StoreDeps = { engine: EngineClient; session: () => Promise<string> };

const say = ({ id, title, tokens, anchorTokens, duplicate, inline }: Stored): void => {
  const size = inline ? grouped(tokens) : `${grouped(tokens)} → ${grouped(anchorTokens)}`;
  const words = duplicate
    ? vscode.l10n.t('Loom: {0} was already stored as {1}', title, id ?? '')
    : vscode.l10n.t('Loom: stored {0} as {1} ({2} tokens)', title, id ?? '', size);
  vscode.window.setStatusBarMessage(`$(archive) ${words}`, 8_000);
};

const withProgress = <R>(title: string, work: (control: { signal: AbortSignal }) => Promise<R>): Thenable<R> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title, cancellable: true }, (_, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    return work({ signal: abort.signal });
  });

const activeEditor = (): vscode.TextEditor | undefined => {
  const editor = vscode.window.activeTextEditor;
  if (!editor) void vscode.window.showInformationMessage(vscode.l10n.t('Loom: open a file in an editor first.'));
  return editor;
};

const storeText = async (
  { engine, session }: StoreDeps,
  text: string,
  title: string,
  path: string,
): Promise<Stored> => {
  const args = { session: await session(), bytes: encodeText(text), title, source: { kind: 'editor' as const, path } };
  return withProgress(vscode.l10n.t('Storing {0}', title), (control) => engine.store({ ...args, keep: true }, control));
};

/** The file as it is on disk; what is not saved, or has no file, as it stands in the editor. */
export const storeActiveFile = async (deps: StoreDeps): Promise<Stored | undefined> => {
  const document = activeEditor()?.document;
  if (!document) return undefined;
  const title = vscode.workspace.asRelativePath(document.uri, false);
  const stored =
    document.isDirty || document.uri.scheme !== 'file'
      ? await storeText(deps, document.getText(), title, document.uri.toString())
      : await storeFile(deps, document.uri, title);
  if (stored) say(stored);
  return stored;
};

const storeFile = async (
  { engine, session }: StoreDeps,
  uri: vscode.Uri,
  title: string,
): Promise<Stored | undefined> => {
  const args = { session: await session(), path: uri.fsPath, title: title || basename(uri.fsPath), keep: true };
  return withProgress(vscode.l10n.t('Storing {0}', title), (control) => engine.storePersonsFile(args, control));
};

export const storeSelection = async (deps: StoreDeps): Promise<Stored | undefined> => {
  const editor = activeEditor();
  if (!editor) return undefined;
  const { document, selection } = editor;
  if (selection.isEmpty) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Loom: select the text to store first.'));
    return undefined;
  }
  const name = vscode.workspace.asRelativePath(document.uri, false);
  const title = `${name}:${selection.start.line + 1}-${selection.end.line + 1}`;
  const stored = await storeText(deps, document.getText(selection), title, document.uri.toString());
  say(stored);
  return stored;
};
