import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { patience } from '#scripts/patience.ts';
import { until } from '#scripts/until.ts';
import { filesHolding } from './drawerFiles.ts';
import { call, callDirectly } from './loom.ts';
import type { Tests } from './runTests.ts';

const secret = 'quetzalcoatl';
const text = Array.from({ length: 2_000 }, (_, n) => `${n} ${secret} ${n * 31}\n`).join('');

const health = (): Promise<string> => callDirectly('ctx_health', {});

/** The last test of its window: the way back asks the person, which nobody here is. */
export const encryptionTests: Tests = {
  'the setting seals the drawer at once, and it goes on': async () => {
    const sealed = async (): Promise<boolean> => /^encryption: secretStorage$/m.test(await health());
    await call('ctx_store', { text, title: secret });
    const folder = /^folder: (.*)$/m.exec(await health())?.[1] ?? '';
    // A second try may find it sealed.
    if (!(await sealed())) {
      assert.notDeepEqual(filesHolding(folder, secret), []);
      const settings = vscode.workspace.getConfiguration();
      await settings.update('loom.encryption', 'secretStorage', vscode.ConfigurationTarget.Global);
      await until('the drawer to be sealed', patience, sealed);
    }
    assert.deepEqual(filesHolding(folder, secret), []);
    assert.match(await call('ctx_search', { query: `${secret} 1000` }), new RegExp(secret));
  },
};
