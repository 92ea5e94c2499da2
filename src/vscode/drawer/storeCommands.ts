// The commands that store.
import * as vscode from 'vscode';
import type { Stored } from '#drawer/types.ts';
import { refuse } from '#vscode/ui/say.ts';
import { storeText, storeUris, type StoreDeps } from './store.ts';

type StoredNow = Promise<Stored | undefined>;

/** The file as it is on disk; what is not saved, or has no file, as it stands in the editor. */
const activeFile = async (deps: StoreDeps): StoredNow => {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return refuse(vscode.l10n.t('open a file in an editor first, or use Store File….'));
  if (!document.isDirty && document.uri.scheme === 'file') return (await storeUris(deps, [document.uri]))[0];
  const title = vscode.workspace.asRelativePath(document.uri, false);
  return storeText(deps, { text: document.getText(), title, path: document.uri.toString() });
};

const selection = async (deps: StoreDeps): StoredNow => {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return refuse(vscode.l10n.t('select the text to store first.'));
  const { document, selection: range } = editor;
  const name = vscode.workspace.asRelativePath(document.uri, false);
  const title = `${name}:${range.start.line + 1}-${range.end.line + 1}`;
  return storeText(deps, { text: document.getText(range), title, path: document.uri.toString() });
};

const chosenFiles = async (deps: StoreDeps): Promise<Stored[]> => {
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Store Files in Loom’s Drawer'),
    openLabel: vscode.l10n.t('Store'),
    canSelectMany: true,
  });
  return storeUris(deps, uris ?? []);
};

const isFolder = async (uri: vscode.Uri): Promise<boolean> =>
  ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;

/** What the explorer passes on: the entry that was clicked, and all that are selected. */
const resources = async (deps: StoreDeps, clicked: unknown, selected: unknown): Promise<Stored[] | undefined> => {
  const uris = (Array.isArray(selected) ? selected : [clicked]).filter((each) => each instanceof vscode.Uri);
  const folders = await Promise.all(uris.map(isFolder));
  const files = uris.filter((_, n) => !folders[n]);
  if (files.length === 0) return refuse(vscode.l10n.t('select files to store; a folder is not stored whole.'));
  return storeUris(deps, files);
};

const clipboard = async (deps: StoreDeps): StoredNow => {
  const text = await vscode.env.clipboard.readText();
  if (text === '') return refuse(vscode.l10n.t('there is no text on the clipboard: copy some first.'));
  return storeText(deps, { text, title: vscode.l10n.t('clipboard'), path: 'clipboard' });
};

/** VS Code gives an extension a terminal's selection by way of the clipboard only, which gets its text back. */
const selectedInTerminal = async (): Promise<string> => {
  const { clipboard: board } = vscode.env;
  const before = await board.readText();
  try {
    await board.writeText('');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await board.readText();
  } finally {
    await board.writeText(before);
  }
};

const terminalSelection = async (deps: StoreDeps): StoredNow => {
  const terminal = vscode.window.activeTerminal;
  const text = terminal && (await selectedInTerminal());
  if (!text) return refuse(vscode.l10n.t('select the text to store in a terminal first.'));
  return storeText(deps, { text, title: vscode.l10n.t('terminal {0}', terminal.name), path: 'terminal' });
};

export const storeCommands = (deps: StoreDeps) => ({
  'loom.storeActiveFile': () => activeFile(deps),
  'loom.storeSelection': () => selection(deps),
  'loom.storeFile': () => chosenFiles(deps),
  'loom.storeResource': (clicked: unknown, selected: unknown) => resources(deps, clicked, selected),
  'loom.storeClipboard': () => clipboard(deps),
  'loom.storeTerminalSelection': () => terminalSelection(deps),
});
