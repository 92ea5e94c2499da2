// What a cell put out, in editors.
import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable.ts';
import type { StreamName } from '#kernel/types.ts';
import type { Services } from '#base/room.ts';

const scheme = 'loom-stream';

/** Session, number of the cell, stream. */
type StreamRef = readonly [session: string, execution: number, stream: StreamName];

/** UTF-16 units that one call brings, and that a document shows at most. */
const pageUnits = 1_000_000;
const mostUnits = 16_000_000;

/** A page that ends inside a line goes on in it: its cursor `line.unit-last` has a unit. */
const insideLine = (cursor: string): boolean => !/^\d+\.0-/.test(cursor);

const readStream = async (kernel: Services['kernel'], [session, execution, stream]: StreamRef): Promise<string> => {
  let text = '';
  for (let cursor: string | undefined; ;) {
    const page = await kernel.readOutput({ session, execution, stream, cursor, units: pageUnits });
    text += page.text;
    cursor = page.cursor;
    if (cursor === undefined) return page.doubt === undefined ? text : `${text}\n[${page.doubt}]\n`;
    if (text.length >= mostUnits)
      return `${text}\n${vscode.l10n.t('[… cut here: {0} lines in all; read the rest with read_python_output]', page.totalLines)}\n`;
    if (!insideLine(cursor)) text += '\n';
  }
};

const uriOf = (ref: StreamRef): vscode.Uri =>
  vscode.Uri.from({ scheme, path: `/In [${ref[1]}] ${ref[2]}`, query: JSON.stringify(ref) });

const refOf = ({ query }: vscode.Uri): StreamRef => JSON.parse(query) as StreamRef;

export type StreamDocuments = Disposable & { open: (...ref: StreamRef) => Promise<void> };

/** What a cell put out, one read-only document a stream. It is read anew each time it is opened. */
export const registerStreams = (kernel: Services['kernel']): StreamDocuments => {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => readStream(kernel, refOf(uri)),
  });
  const held = vscode.Disposable.from(registered, changed);
  return {
    open: async (...ref) => {
      const uri = uriOf(ref);
      changed.fire(uri);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    },
    dispose: () => held.dispose(),
  };
};
