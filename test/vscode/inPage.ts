import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Result } from './report.ts';
import { runTests, type Tests } from './runTests.ts';

/** Runs tests that look at `page`. LOOM_TEST_SHOTS names a folder for pictures of how it looked where one failed. */
export const testsInPage = async (page: Page, tests: Tests): Promise<Result[]> => {
  const shots = process.env.LOOM_TEST_SHOTS;
  const results: Result[] = [];
  await runTests(tests, {
    ends: async (result) => {
      results.push(result);
      if (result.failure === undefined || shots === undefined) return;
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${result.test.replaceAll(/\W+/g, '-')}.png`) });
    },
  });
  return results;
};
