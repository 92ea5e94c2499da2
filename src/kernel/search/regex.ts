// Lines that match a pattern: in a thread of its own.
import { parentPort, Worker } from 'node:worker_threads';
import { LoomError } from '#base/errors.ts';
import { atOnce } from '#base/slices.ts';
import { matchLines, type LineMatcher, type LineMatches, type LineRun } from '#text/matchLines.ts';

/** Milliseconds that one search with a pattern may take. */
const limitMs = 3_000;

/** What Python's patterns write otherwise than JavaScript's. */
const translated = (pattern: string): { source: string; flags: string } => {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(inline?.[0].length ?? 0)
    .replaceAll(/\(\?P</g, '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replaceAll('\\A', '^')
    .replaceAll(/\\[Zz]/g, '$');
  return { source, flags: inline?.[1]?.includes('i') ? 'i' : '' };
};

/** The pattern, or why it is none. */
export const compile = (pattern: string, ignoreCase: boolean): RegExp | string => {
  const { source, flags } = translated(pattern);
  try {
    return new RegExp(source, `g${ignoreCase || flags !== '' ? 'i' : ''}`);
  } catch (error) {
    return (error as Error).message;
  }
};

const matcherOf = (pattern: RegExp): LineMatcher => ({
  countIn: (line) => line.match(pattern)?.length ?? 0,
  // A whole run would have to be parted all the same.
  mayMatch: () => true,
});

/** The worker's side: answers each message once. */
export const serveRegex = (): void => {
  parentPort?.once('message', ({ runs, pattern }: { runs: LineRun[]; pattern: RegExp }) =>
    parentPort?.postMessage(atOnce(matchLines(runs, matcherOf(pattern)))),
  );
};

/**
 * A search with a pattern, in a thread of its own: one that backtracks without end is stopped.
 * `program` is the file that calls `serveRegex` where its role is `regex`.
 */
export const regexHits = async (program: string, runs: LineRun[], pattern: RegExp): Promise<LineMatches> => {
  const worker = new Worker(program, { workerData: { role: 'regex' }, execArgv: [] });
  const answer = Promise.withResolvers<LineMatches>();
  let late: NodeJS.Timeout | undefined;
  worker.once('message', answer.resolve);
  worker.once('error', answer.reject);
  worker.once('online', () => {
    late = setTimeout(() => {
      const words = `The pattern took over ${limitMs / 1000} s and was stopped. Search for a literal text, or simplify it.`;
      answer.reject(new LoomError('INVALID_QUERY', words));
    }, limitMs);
  });
  worker.postMessage({ runs, pattern });
  try {
    return await answer.promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
};
