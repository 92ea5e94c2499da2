import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export type Result = {
  test: string;
  /** Why it failed in the end. */
  failure?: string;
  /** Why it needed a second try. */
  first?: string;
};

/** One line of the report that the tests in the host leave for the process that started VS Code. */
type Line = { begins: string } | Result | { end: true };

/** Names the report's file, in the environment of the host. */
export const reportVariable = 'LOOM_TEST_REPORT';

export const report = (line: Line): void => {
  const file = process.env[reportVariable];
  if (file === undefined) throw new Error(`${reportVariable} names no file`);
  appendFileSync(file, `${JSON.stringify(line)}\n`);
};

const linesOf = (file: string): Line[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line)
    : [];

/**
 * What the tests came to. A report without its end is a failure: the host died, or was stopped at the deadline. VS Code
 * itself may well call that a success.
 */
export const resultsIn = (file: string): Result[] => {
  const results: Result[] = [];
  let running: string | undefined = 'the start of the tests';
  for (const line of linesOf(file)) {
    if ('begins' in line) running = line.begins;
    else if ('test' in line) results.push(line);
    else running = undefined;
  }
  if (running !== undefined)
    results.push({ test: running, failure: 'VS Code ended, or was ended, before the tests did' });
  return results;
};
