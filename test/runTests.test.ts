import { afterEach, expect, test, vi } from 'vitest';
import type { Result } from './vscode/report.ts';
import { runTests, type Tests } from './vscode/runTests.ts';

afterEach(() => vi.useRealTimers());

/** What a run of `tests` came to, and each try in order; a window that is taken afresh counts as one. */
const run = async (tests: Record<string, (attempt: number) => Promise<void>>) => {
  const tries: string[] = [];
  const results: Result[] = [];
  const counted: Tests = Object.fromEntries(
    Object.entries(tests).map(([name, work]) => {
      let attempt = 0;
      return [name, () => (tries.push(name), work((attempt += 1)))];
    }),
  );
  await runTests(counted, { afresh: async () => tries.push('afresh'), ends: (result) => results.push(result) });
  return { tries, results };
};

const fails = (why: string): Promise<never> => Promise.reject(new Error(why));
const passes = async (): Promise<void> => undefined;

test('a test that fails is tried again, alone and afresh, and says why it had to be', async () => {
  const { tries, results } = await run({
    before: passes,
    odd: (attempt) => (attempt === 1 ? fails('a lost click') : passes()),
    after: passes,
  });
  expect(tries).toEqual(['afresh', 'before', 'afresh', 'odd', 'afresh', 'odd', 'afresh', 'after']);
  expect(results).toEqual([
    { test: 'before' },
    { test: 'odd', first: expect.stringContaining('a lost click') },
    { test: 'after' },
  ]);
});

test('one that fails twice has failed; with three of them the rest is left', async () => {
  const broken = (attempt: number): Promise<void> => fails(`fault ${attempt}`);
  const { tries, results } = await run({ one: broken, two: broken, three: broken, four: passes });
  expect(tries.filter((name) => name !== 'afresh')).toEqual(['one', 'one', 'two', 'two', 'three', 'three']);
  expect(results[0]).toEqual({
    test: 'one',
    first: expect.stringContaining('fault 1'),
    failure: expect.stringContaining('fault 2'),
  });
  expect(results[3]).toEqual({ test: 'four', failure: 'not run: 3 before it had failed' });
});

test('one that runs on past its deadline is not tried again: two would be in one window', async () => {
  vi.useFakeTimers();
  const running = run({ endless: () => new Promise(() => undefined) });
  await vi.runAllTimersAsync();
  const { tries, results } = await running;
  expect(tries).toEqual(['afresh', 'endless']);
  expect(results).toEqual([expect.objectContaining({ failure: expect.stringMatching(/took longer than \d+ s/) })]);
});
