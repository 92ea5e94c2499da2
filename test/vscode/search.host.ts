import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { patience } from '#scripts/patience.ts';
import { until } from '#scripts/until.ts';
import { call } from './loom.ts';
import type { Tests } from './runTests.ts';

const noise = (from: number): string =>
  Array.from({ length: 800 }, (_, n) => `step ${from + n} compiled module ${(from + n) * 31}\n`).join('');

export const searchTests: Tests = {
  'a search opens the hit in a read-only document at its line': async () => {
    await call('ctx_store', { text: `${noise(0)}the flux capacitor is at 88 mph\n${noise(800)}`, title: 'build' });
    await vscode.commands.executeCommand('loom.searchDrawer', 'flux capacitor');
    const editor = await until('a document of the drawer', patience, async () => {
      // Does nothing as long as there is no hit to accept.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === 'loom' && active;
    });
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /flux capacitor/);
    assert.equal(editor.selection.active.line, 800);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('loom'), false);
  },
};
