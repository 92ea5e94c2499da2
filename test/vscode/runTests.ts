import { inspect } from 'node:util';
import { patience } from '#scripts/patience.ts';
import type { Result } from './report.ts';

export type Tests = Record<string, () => Promise<void>>;

/** Seconds that one test may take: it has several waits, of which few are long. */
const deadline = 2 * patience;

/** Tests of one window that may fail before the rest is left out: each waited in vain, twice, with all our patience. */
const mostFailed = 3;

class Late extends Error {}

const inTime = async (work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Late(`took longer than ${deadline} s`)), deadline * 1000);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
};

const words = (error: unknown): string => {
  if (!(error instanceof Error)) return inspect(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${words(error.cause)}`;
};

/** What went wrong; `late` where the test may be running still. */
type Fault = { why: string; late: boolean };

const faultOf = (work: () => Promise<void>): Promise<Fault | undefined> =>
  inTime(work()).then(
    () => undefined,
    (error: unknown) => ({ why: words(error), late: error instanceof Late }),
  );

/** LOOM_TEST_ONLY takes the tests whose names hold it. */
const chosen = process.env.LOOM_TEST_ONLY ?? '';

/** LOOM_TEST_TWICE tries every test a second time, as though it had failed: each must be fit for that. */
const again: Fault | undefined =
  process.env.LOOM_TEST_TWICE === undefined ? undefined : { why: 'It passed: LOOM_TEST_TWICE.', late: false };

export type Watch = {
  begins?: (test: string) => void;
  /** Before each try of a test: takes the window to where any test may begin. */
  afresh: () => Promise<unknown>;
  /** After a try that failed. */
  failed?: (test: string) => Promise<unknown>;
  ends: (result: Result) => void;
};

/** Runs one test after the other and tells how each came out. One that fails gets a second try. */
export const runTests = async (tests: Tests, { begins, afresh, failed, ends }: Watch): Promise<void> => {
  let count = 0;
  for (const [test, run] of Object.entries(tests).filter(([name]) => name.includes(chosen))) {
    if (count === mostFailed) {
      ends({ test, failure: `not run: ${count} before it had failed` });
      continue;
    }
    begins?.(test);
    const attempt = async (): Promise<Fault | undefined> => {
      const fault = await faultOf(async () => {
        await afresh();
        await run();
      });
      if (fault) await failed?.(test);
      return fault;
    };
    const first = (await attempt()) ?? again;
    const second = first && !first.late ? await attempt() : first;
    if (second) count += 1;
    ends({ test, ...(first && { first: first.why }), ...(second && { failure: second.why }) });
  }
};
