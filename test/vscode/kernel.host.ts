import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { patience } from '#scripts/patience.ts';
import { until } from '#scripts/until.ts';
import { call, writeFile } from './loom.ts';
import type { Tests } from './runTests.ts';

/** A machine that is busy starts a kernel slowly; no call may take more than five minutes. */
const wait = { timeout_seconds: 240 };

export const kernelTests: Tests = {
  'cells of the agent share their names, in the workspace’s folder': async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    await call('run_python', { code: 'kept = 6', ...wait });
    const answer = await call('run_python', { code: 'import os\nprint(os.getcwd())\nkept * 7', ...wait });
    assert.match(answer, /^In \[\d+\] completed, \d+\.\d s, complete: yes\n/);
    assert.match(answer, /: 42$/);
    assert(answer.includes(`\n${folder}\n`), answer);
    assert.equal((await call('read_python_output', { stream: 'result' })).split('\n')[1], '42');
  },

  'the selection of an editor runs in the agent’s kernel': async () => {
    await call('run_python', { code: 'shared = "by both"', ...wait });
    const file = await writeFile('cell.py', 'not this\nshared.upper()\n');
    const editor = await vscode.window.showTextDocument(file);
    editor.selection = new vscode.Selection(1, 0, 1, 14);
    const text = await vscode.commands.executeCommand<string>('loom.kernel.runSelection');
    assert.match(text, /^In \[\d+\] completed, [^]*: 'BY BOTH'$/);
    const number = /^In \[(\d+)\]/.exec(text)?.[1];
    assert.match(await call('read_python_output', {}), new RegExp(`^In \\[${number}\\] completed, combined`));
  },

  'the kernel is interrupted and reset by command': async () => {
    const code = 'import time\nfor n in range(6000): time.sleep(0.01)';
    const running = await call('run_python', { code, timeout_seconds: 0.5 });
    assert.match(running, / running, /);
    await vscode.commands.executeCommand('loom.kernel.interrupt');
    await until('the end of the cell', patience, async () =>
      (await call('read_python_output', {})).includes(' interrupted, '),
    );
    await vscode.commands.executeCommand('loom.kernel.reset');
    assert.match(await call('run_python', { code: 'kept', ...wait }), /NameError/);
  },
};
