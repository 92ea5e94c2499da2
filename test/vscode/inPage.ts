import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Result } from './report.ts';
import { runTests, type Tests } from './runTests.ts';

/** Rejects when the page is no more: what is asked of it then may wait for ever. */
const endOf = (page: Page): Promise<never> => {
  const { promise, reject } = Promise.withResolvers<never>();
  page.once('close', () => reject(new Error('the window was closed')));
  page.once('crash', () => reject(new Error('the window crashed')));
  promise.catch(() => undefined);
  return promise;
};

/**
 * Runs tests that look at `page`; `afresh` takes it to where any of them may begin. LOOM_TEST_SHOTS names a folder for
 * pictures of how it looked where one failed.
 */
export const testsInPage = async (page: Page, afresh: () => Promise<unknown>, tests: Tests): Promise<Result[]> => {
  const shots = process.env.LOOM_TEST_SHOTS;
  const end = endOf(page);
  const results: Result[] = [];
  const alive = Object.entries(tests).map(([test, run]) => [test, () => Promise.race([run(), end])] as const);
  await runTests(Object.fromEntries(alive), {
    afresh: () => Promise.race([afresh(), end]),
    failed: async (test) => {
      if (shots === undefined || page.isClosed()) return;
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${test.replaceAll(/\W+/g, '-')}.png`) });
    },
    ends: (result) => results.push(result),
  });
  return results;
};
