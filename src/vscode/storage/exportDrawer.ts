// Export Drawer….
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { size } from '#vscode/ui/amounts.ts';
import { askFile } from '#vscode/ui/askFile.ts';
import { withProgress } from '#vscode/ui/progress.ts';
import { say } from '#vscode/ui/say.ts';

/** Has `write` make a file beside `file`, and puts it in its place when it is whole. */
const replacing = async <R>(file: string, write: (part: string) => Promise<R>): Promise<R> => {
  const part = join(dirname(file), `.${randomUUID()}.part`);
  try {
    const written = await write(part);
    await rename(part, file);
    return written;
  } finally {
    await rm(part, { force: true });
  }
};

const mayBePlain = async (): Promise<boolean> => {
  const yes = vscode.l10n.t('Export Unencrypted');
  const words = vscode.l10n.t('The drawer is encrypted; its export will not be. Whoever has the file can read it all.');
  return (await vscode.window.showWarningMessage(words, { modal: true }, yes)) === yes;
};

/** Writes the whole drawer as a plain SQLite file. */
export const exportDrawer = async (storage: Services['storage']): Promise<void> => {
  if ((await storage.health({})).sealed !== 'off' && !(await mayBePlain())) return;
  const kinds = { SQLite: ['sqlite', 'db'] };
  const file = await askFile(vscode.l10n.t('Export Loom’s Drawer'), 'loom-drawer.sqlite', kinds);
  if (file === undefined) return;
  const work = (): Promise<{ bytes: number; missing: string[] }> =>
    replacing(file, (part) => storage.exportTo({ file: part }));
  const { bytes, missing } = await withProgress(vscode.l10n.t('Loom: exporting the drawer'), work, false);
  if (missing.length === 0)
    return say(vscode.l10n.t('exported the drawer to {0} ({1}, not encrypted).', basename(file), size(bytes)));
  const words = vscode.l10n.t('Loom: the drawer is damaged; this is not in the export: {0}', missing.join('; '));
  void vscode.window.showWarningMessage(words);
};
