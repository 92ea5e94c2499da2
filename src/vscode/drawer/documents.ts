// Documents of the drawer as files that an editor opens.
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { asLoomError, type LoomError } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { DocumentInfo, Kind } from '#drawer/types.ts';

const scheme = 'loom';

/** `loom:/d7/app.log`: the id finds the document or the chunk, the name gives the editor its title and language. */
export const documentUri = (id: string, title: string): vscode.Uri => {
  // A selection is titled by its lines (`app.log:3-9`), a command by itself.
  const name =
    title
      .replace(/:\d+-\d+$/, '')
      .split(/[\\/]/)
      .at(-1) || 'document';
  return vscode.Uri.from({ scheme, path: `/${id}/${name}` });
};

const idOf = (uri: vscode.Uri): string => uri.path.split('/')[1] ?? '';

/** Opens a stored document, or a chunk, in a read-only editor at a line of it, counted from 1. */
export const openDocument = async (id: string, title: string, line = 1): Promise<void> => {
  const at = new vscode.Position(line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', documentUri(id, title), {
    selection: new vscode.Range(at, at),
    preview: true,
  } satisfies vscode.TextDocumentShowOptions);
};

/** The same by its id alone. */
export const openById = async (drawer: Services['drawer'], id: string, line?: number): Promise<void> =>
  openDocument(id, (await drawer.documentDetail({ id })).title, line);

/** Languages of VS Code for what the drawer has recognised; a file's own name says more, where it says something. */
const languages: Partial<Record<Kind, string>> = {
  log: 'log',
  json: 'json',
  ndjson: 'jsonl',
  yaml: 'yaml',
  markdown: 'markdown',
  diff: 'diff',
  html: 'html',
};

// Everything stored stays as it is, so nothing ever changes under an open editor.
const silent: vscode.Event<vscode.FileChangeEvent[]> = () => ({ dispose: () => undefined });

/** As the editor shows it: for a file that is not found VS Code has words of its own, which would not say why. */
const shown = ({ message }: LoomError): vscode.FileSystemError => vscode.FileSystemError.Unavailable(message);

/**
 * Stored documents as files that cannot be written. A file system rather than a text content provider, because that one
 * passes strings and may change line ends: here the editor gets the very bytes.
 */
export const registerDocuments = (drawer: Services['drawer'], log: Log): vscode.Disposable => {
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Documents of the drawer cannot be changed.'));
  };
  const found = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } catch (error) {
      throw shown(asLoomError(error));
    }
  };
  const info = (uri: vscode.Uri): Promise<{ info: DocumentInfo; bytes: number }> =>
    found(drawer.documentInfo({ id: idOf(uri) }));
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: silent,
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => {
      const { info: document, bytes } = await info(uri);
      return {
        type: vscode.FileType.File,
        ctime: document.storedAt,
        mtime: document.storedAt,
        size: bytes,
        permissions: vscode.FilePermission.Readonly,
      };
    },
    readFile: async (uri) => (await found(drawer.readDocument({ id: idOf(uri) }))).bytes,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  /** The drawer's own guess, where the name tells the editor nothing. */
  const name = async (document: vscode.TextDocument): Promise<void> => {
    if (document.uri.scheme !== scheme || document.languageId !== 'plaintext') return;
    const { info: about } = await info(document.uri);
    const language = languages[about.kind];
    if (language !== undefined) await vscode.languages.setTextDocumentLanguage(document, language);
  };
  return vscode.Disposable.from(
    vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true, isCaseSensitive: true }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      name(document).catch((error: unknown) => log.warn(`a document has no language: ${String(error)}`));
    }),
  );
};
