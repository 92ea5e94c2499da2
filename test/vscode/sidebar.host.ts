import * as vscode from 'vscode';
import type { Tests } from './runTests.ts';

export const sidebarTests: Tests = {
  // What it shows is for the browser to see: ui.ts.
  'the sidebar opens': async () => {
    await vscode.commands.executeCommand('loom.sidebar.focus');
  },
};
