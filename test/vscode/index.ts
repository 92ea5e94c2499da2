import { contributionTests } from './contributions.test.ts';
import { drawerTests } from './drawer.test.ts';
import { encryptionTests } from './encryption.test.ts';
import { kernelTests } from './kernel.test.ts';
import { providerTests } from './provider.test.ts';
import { report } from './report.ts';
import { runTests } from './runTests.ts';
import { searchTests } from './search.test.ts';
import { sidebarTests } from './sidebar.test.ts';

/** Called by VS Code in its extension host. */
export const run = async (): Promise<void> => {
  let failed = 0;
  await runTests(
    {
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
