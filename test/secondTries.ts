import type { Reporter } from 'vitest/node';

/** Names the tests that passed only when they were tried again: the default reporter is silent about them. */
export const secondTries: Reporter = {
  onTestRunEnd: (modules) => {
    for (const module of modules)
      for (const test of module.children.allTests())
        if ((test.diagnostic()?.retryCount ?? 0) > 0) console.log(`needed a second try: ${test.fullName}`);
  },
};
