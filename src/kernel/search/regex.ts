// Lines that hold a text or a pattern; patterns run in a thread of their own.
import { parentPort, Worker } from 'node:worker_threads';
import { LoomError } from '#base/errors.ts';

/** Lines that hold a match, in order, and how many matches they hold together. */
export type Hits = { lines: number[]; matches: number };
export type Stretch = { first: number; text: string };

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

const isWord = (text: string): boolean => !text.includes('\n');

export const literalHits = (stretches: Iterable<Stretch>, query: string, ignoreCase: boolean): Hits => {
  const hits: Hits = { lines: [], matches: 0 };
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(query);
  for (const { first, text } of stretches) {
    // Most stretches hold none: their lines need not be parted.
    if (isWord(wanted) && wanted !== '' && !fold(text).includes(wanted)) continue;
    for (const [n, line] of text.split('\n').entries()) {
      const count = wanted === '' ? 1 : fold(line).split(wanted).length - 1;
      if (count === 0) continue;
      hits.lines.push(first + n);
      hits.matches += count;
    }
  }
  return hits;
};

const patternHits = (stretches: Iterable<Stretch>, pattern: RegExp): Hits => {
  const hits: Hits = { lines: [], matches: 0 };
  for (const { first, text } of stretches)
    for (const [n, line] of text.split('\n').entries()) {
      const count = line.match(pattern)?.length ?? 0;
      if (count === 0) continue;
      hits.lines.push(first + n);
      hits.matches += count;
    }
  return hits;
};

/** The worker's side: answers each message once. */
export const serveRegex = (): void => {
  parentPort?.once('message', ({ stretches, pattern }: { stretches: Stretch[]; pattern: RegExp }) =>
    parentPort?.postMessage(patternHits(stretches, pattern)),
  );
};

/**
 * A search with a pattern, in a thread of its own: one that backtracks without end is stopped.
 * `program` is the file that calls `serveRegex` where its role is `regex`.
 */
export const regexHits = async (program: string, stretches: Stretch[], pattern: RegExp): Promise<Hits> => {
  const worker = new Worker(program, { workerData: { role: 'regex' }, execArgv: [] });
  const answer = Promise.withResolvers<Hits>();
  let late: NodeJS.Timeout | undefined;
  worker.once('message', answer.resolve);
  worker.once('error', answer.reject);
  worker.once('online', () => {
    late = setTimeout(() => {
      const words = `The pattern took over ${limitMs / 1000} s and was stopped. Search for a literal text, or simplify it.`;
      answer.reject(new LoomError('INVALID_QUERY', words));
    }, limitMs);
  });
  worker.postMessage({ stretches, pattern });
  try {
    return await answer.promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
};
