import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Result } from './report.ts';
import { runTests, type Tests } from './runTests.ts';

/**
 * Runs tests that look at `page`; `afresh` takes it to where any of them may begin. LOOM_TEST_SHOTS names a folder for
 * pictures of how it looked where one failed.
 */
export const testsInPage = async (page: Page, afresh: () => Promise<unknown>, tests: Tests): Promise<Result[]> => {
  const shots = process.env.LOOM_TEST_SHOTS;
  const results: Result[] = [];
  await runTests(tests, {
    afresh,
    failed: async (test) => {
      if (shots === undefined) return;
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${test.replaceAll(/\W+/g, '-')}.png`) });
    },
    ends: (result) => results.push(result),
  });
  return results;
};
