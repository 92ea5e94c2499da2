import { inspect } from 'node:util';
import type { Result } from './report.ts';

export type Tests = Record<string, () => Promise<void>>;

/** Seconds that one test may take on a busy machine: a first call also starts the server behind it. */
const deadline = 120;

const inTime = async (work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`took longer than ${deadline} s`)), deadline * 1000);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
};

type Watch = { begins?: (test: string) => void; ends: (result: Result) => void | Promise<void> };

/** Runs one test after the other and tells how each came out. */
export const runTests = async (tests: Tests, { begins, ends }: Watch): Promise<void> => {
  for (const [test, run] of Object.entries(tests)) {
    begins?.(test);
    try {
      await inTime(run());
      await ends({ test });
    } catch (error) {
      await ends({ test, failure: error instanceof Error ? (error.stack ?? error.message) : inspect(error) });
    }
  }
};
