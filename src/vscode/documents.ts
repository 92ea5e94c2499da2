import * as vscode from 'vscode';
import type { EngineClient } from '#mcp/engine.ts';

const scheme = 'loom';

/** `loom:/d7/app.log`: the id finds the document, the name gives the editor its language. */
export const documentUri = (id: string, title: string): vscode.Uri => {
  const name = title.split(/[\\/]/).at(-1) || 'document';
  return vscode.Uri.from({ scheme, path: `/${id}/${name}` });
};

const idOf = (uri: vscode.Uri): string => uri.path.split('/')[1] ?? '';

/** Opens a stored document in a read-only editor at a line, counted from 1. */
export const openDocument = async (id: string, title: string, line = 1): Promise<void> => {
  const at = new vscode.Position(line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', documentUri(id, title), {
    selection: new vscode.Range(at, at),
    preview: true,
  } satisfies vscode.TextDocumentShowOptions);
};

// Everything stored stays as it is, so nothing ever changes under an open editor.
const silent: vscode.Event<vscode.FileChangeEvent[]> = () => ({ dispose: () => undefined });

/**
 * Stored documents as files that cannot be written. A file system rather than a text content provider, because that one
 * passes strings and may change line ends: here the editor gets the very bytes.
 */
export const registerDocuments = (engine: EngineClient): vscode.Disposable => {
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions('Documents of the drawer cannot be changed.');
  };
  const stored = async (uri: vscode.Uri): ReturnType<EngineClient['readDocument']> => {
    try {
      return await engine.readDocument({ id: idOf(uri) });
    } catch (error) {
      throw vscode.FileSystemError.FileNotFound(error instanceof Error ? error.message : String(error));
    }
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: silent,
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => {
      const { info } = await stored(uri);
      return {
        type: vscode.FileType.File,
        ctime: info.storedAt,
        mtime: info.storedAt,
        size: info.bytes,
        permissions: vscode.FilePermission.Readonly,
      };
    },
    readFile: async (uri) => (await stored(uri)).bytes,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true, isCaseSensitive: true });
};
