// Storing what a person chose.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import type { CallControl } from '#base/rpc.ts';
import { encodeText, grouped } from '#base/text.ts';
import type { Stored } from '#drawer/types.ts';
import { files } from '#vscode/ui/amounts.ts';
import { withProgress } from '#vscode/ui/progress.ts';
import { say } from '#vscode/ui/say.ts';

export type StoreDeps = { drawer: Services['drawer']; session: () => Promise<string> };

/** Text from the editor, the clipboard, a terminal; `path` says where it was. */
export type Text = { text: string; title: string; path: string };

const told = ({ id, title, tokens, anchorTokens, duplicate, inline }: Stored): string => {
  const size = inline ? grouped(tokens) : `${grouped(tokens)} → ${grouped(anchorTokens)}`;
  return duplicate
    ? vscode.l10n.t('{0} was already stored as {1}', title, id ?? '')
    : vscode.l10n.t('stored {0} as {1} ({2} tokens)', title, id ?? '', size);
};

/** Stores what a person chose; it is never evicted. */
export const storeText = async ({ drawer, session }: StoreDeps, { text, title, path }: Text): Promise<Stored> => {
  const source = { kind: 'editor' as const, path };
  const args = { session: await session(), bytes: encodeText(text), title, source, keep: true };
  const stored = await withProgress(vscode.l10n.t('Loom: storing {0}', title), (control) =>
    drawer.store(args, control),
  );
  say(told(stored));
  return stored;
};

/** A file as it is on disk, or what another file system of VS Code has under this name. */
const storeUri = async (deps: StoreDeps, uri: vscode.Uri, control: CallControl): Promise<Stored> => {
  const title = vscode.workspace.asRelativePath(uri, false) || basename(uri.path);
  const session = await deps.session();
  if (uri.scheme === 'file')
    return deps.drawer.storePersonsFile({ session, path: uri.fsPath, title, keep: true }, control);
  const source = { kind: 'editor' as const, path: uri.toString() };
  const bytes = await vscode.workspace.fs.readFile(uri);
  return deps.drawer.store({ session, bytes, title, source, keep: true }, control);
};

/** Stores files, one after the other; those before the one that failed stay stored. */
export const storeUris = async (deps: StoreDeps, uris: readonly vscode.Uri[]): Promise<Stored[]> => {
  const stored: Stored[] = [];
  const [first] = uris;
  if (first === undefined) return stored;
  const what = uris.length === 1 ? basename(first.path) : files(uris.length);
  await withProgress(vscode.l10n.t('Loom: storing {0}', what), async (control) => {
    for (const [n, uri] of uris.entries()) {
      const progress: CallControl['progress'] = (share) =>
        control.progress((n + share) / uris.length, basename(uri.path));
      progress(0, '');
      stored.push(await storeUri(deps, uri, { ...control, progress }));
    }
  }).finally(() => {
    const [only] = stored;
    if (uris.length === 1 && only) say(told(only));
    else if (only) say(vscode.l10n.t('stored {0} of {1}: {2}', stored.length, files(uris.length), range(stored)));
  });
  return stored;
};

const range = (stored: readonly Stored[]): string => {
  const ids = stored.flatMap(({ id }) => id ?? []);
  return ids.length > 3 ? `${ids[0]} … ${ids.at(-1)}` : ids.join(', ');
};
