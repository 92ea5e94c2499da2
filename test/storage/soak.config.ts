import { defineConfig } from 'vitest/config';

/** The long runs, `npm run soak`: half an hour or so. */
export default defineConfig({
  test: { root: `${import.meta.dirname}/../..`, include: ['test/storage/*.soak.ts'], testTimeout: 3_600_000 },
});
