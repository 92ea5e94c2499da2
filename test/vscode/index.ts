import * as vscode from 'vscode';
import { contributionTests } from './contributions.host.ts';
import { drawerTests } from './drawer.host.ts';
import { encryptionTests } from './encryption.host.ts';
import { kernelTests } from './kernel.host.ts';
import { providerTests } from './provider.host.ts';
import { report } from './report.ts';
import { runTests } from './runTests.ts';
import { searchTests } from './search.host.ts';
import { sidebarTests } from './sidebar.host.ts';
import { stockRulesTests } from './stockRules.host.ts';

/** Takes the window to where any test may begin. */
const afresh = async (): Promise<void> => {
  for (const command of ['closeQuickOpen', 'closeAllEditors'])
    await vscode.commands.executeCommand(`workbench.action.${command}`);
  for (const terminal of vscode.window.terminals) terminal.dispose();
};

/** Called by VS Code in its extension host. */
export const run = async (): Promise<void> => {
  let failed = 0;
  await runTests(
    {
      ...stockRulesTests,
      ...providerTests,
      ...contributionTests,
      ...drawerTests,
      ...searchTests,
      ...kernelTests,
      ...sidebarTests,
      ...encryptionTests,
    },
    {
      begins: (test) => report({ begins: test }),
      afresh,
      ends: (result) => {
        if (result.failure !== undefined) failed += 1;
        report(result);
      },
    },
  );
  report({ end: true });
  if (failed > 0) throw new Error(`${failed} failed`);
};
