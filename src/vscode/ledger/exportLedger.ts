// Export Ledger….
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '#base/room.ts';
import { grouped } from '#base/text.ts';
import type { ReportArgs } from '#ledger/types.ts';
import { size } from '#vscode/ui/amounts.ts';
import { askFile } from '#vscode/ui/askFile.ts';
import { withProgress } from '#vscode/ui/progress.ts';
import { say } from '#vscode/ui/say.ts';

const chooseScope = async (session: string): Promise<ReportArgs | undefined> => {
  const items: (vscode.QuickPickItem & { scope: ReportArgs })[] = [
    {
      label: vscode.l10n.t('Everything'),
      detail: vscode.l10n.t('Every entry of every client and workspace'),
      scope: { life: true },
    },
    {
      label: vscode.l10n.t('This workspace'),
      detail: vscode.l10n.t('What VS Code’s agent did in this workspace'),
      scope: { session },
    },
  ];
  const title = vscode.l10n.t('Export Ledger');
  return (await vscode.window.showQuickPick(items, { title }))?.scope;
};

/** Writes the ledger's entries to a file that the person names: as CSV, or as JSON with the bill on top. */
export const exportLedger = async (ledger: Services['ledger'], session: () => Promise<string>): Promise<void> => {
  const scope = await chooseScope(await session());
  if (scope === undefined) return;
  const kinds = { CSV: ['csv'], JSON: ['json'] };
  const file = await askFile(vscode.l10n.t('Export Loom’s Ledger'), 'loom-ledger.csv', kinds);
  if (file === undefined) return;
  const format = file.toLowerCase().endsWith('.json') ? 'json' : 'csv';
  const title = vscode.l10n.t('Loom: exporting the ledger');
  const { entries, bytes } = await withProgress(title, () => ledger.exportEntries({ ...scope, format, file }), false);
  say(vscode.l10n.t('exported the ledger to {0}: entries {1}, {2}.', basename(file), grouped(entries), size(bytes)));
};
