import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { patience } from '#scripts/patience.ts';
import { until } from '#scripts/until.ts';
import type { Tests } from './runTests.ts';

/** That the VS Code of these tests gives Loom, and any other extension, no more than the stable API. */
export const stockRulesTests: Tests = {
  'proposed API that nobody declared is refused': async () => {
    assert.throws(() => Reflect.get(vscode.env, 'appQuality'), /CANNOT use API proposal: resolvers/);
  },

  'a proposed contribution is ignored, even one that its extension declares': async () => {
    // Views have a command each, and those of one manifest are registered together.
    const commands = await until('the views of the bystander', patience, async () => {
      const all = await vscode.commands.getCommands();
      return all.includes('bystander.stable.focus') && all;
    });
    assert.deepEqual(
      commands.filter((command) => command.startsWith('bystander.proposed')),
      [],
    );
  },
};
