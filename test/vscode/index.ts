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
      ends: ({ test, failure }) => {
        if (failure !== undefined) failed += 1;
        report(failure === undefined ? { passed: test } : { failed: test, why: failure });
      },
    },
  );
  report({ end: true });
  if (failed > 0) throw new Error(`${failed} failed`);
};
