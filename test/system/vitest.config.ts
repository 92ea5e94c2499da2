import { defineConfig } from 'vitest/config';

/** Tests that need programs of the system; a program that is missing is a failure that says so. */
export default defineConfig({
  test: { root: `${import.meta.dirname}/../..`, include: ['test/system/**/*.test.ts'], testTimeout: 120_000 },
});
