// A room that was added by three lines, as a person sees it: its command, its tab, its question, its words.
import { dirname, join } from 'node:path';
import type { Scope } from '#scripts/scope.ts';
import { startCode } from '#scripts/startCode.ts';
import { openWorkbench, runCommand } from '#scripts/workbench.ts';
import { openPage } from '#scripts/browser.ts';
import { remove } from '../fixtures.ts';
import { buildToy, run } from '../toy/build.ts';
import { afresh } from './afresh.ts';
import { testsInPage } from './inPage.ts';
import { install, profileIn, standIn } from './install.ts';
import { viewFrame } from './panel.ts';
import type { Result } from './report.ts';

const packaged = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', 'dist/toy.vsix'];

export const inToyRoom = async (scope: Scope): Promise<Result[]> => {
  const toy = await buildToy();
  scope.defer(() => remove(dirname(toy)));
  await run(toy, 'vsce', ...packaged);
  const profile = profileIn(scope.folder('toy'));
  await install(scope, standIn, profile, join(toy, 'dist/toy.vsix'));
  const code = await startCode(scope, profile);
  const page = await openPage(scope);
  await openWorkbench(page, code, scope.folder('toy-workspace'));
  const turned = () => page.locator('.notification-list-item', { hasText: 'mool' }).first();
  return testsInPage(page, () => afresh(page), {
    'a toy room has its command, its tab, and the tab’s question, words and button': async () => {
      await runCommand(page, 'Loom: Turn a Word');
      await turned().waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
      await runCommand(page, 'Loom: Open Drawer');
      const panel = await viewFrame(page, 'panel');
      await panel.getByRole('tab', { name: 'Toy' }).click();
      await panel.getByText('loom', { exact: true }).first().waitFor();
      await panel.getByRole('button', { name: 'Turn It' }).first().click();
      await turned().waitFor();
    },
  });
};
