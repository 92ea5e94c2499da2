// Words in the outputs of a session's cells.
import { LoomError } from '#base/errors.ts';
import { clipped } from '#kernel/output/page.ts';
import { atOnce } from '#base/slices.ts';
import { allWordsMatcher, matchLines } from '#text/matchLines.ts';
import type { FoundInHistory, SearchHistoryArgs } from '#kernel/types.ts';
import type { StreamText } from '#kernel/output/stream.ts';

const mostExecutions = 200;
const lineUnits = 300;
/** Of one execution, so that a chatty one does not fill the answer. */
const mostOfOne = 3;

/**
 * Lines of a session's outputs that hold every word of the query, whatever its case; the newest cells first. `read` gives an
 * execution, or rejects with `OUTPUT_GONE`.
 */
export const searchHistory = async (
  { query, limit }: SearchHistoryArgs,
  latest: number,
  read: (number: number) => Promise<StreamText>,
  signal: AbortSignal,
): Promise<FoundInHistory> => {
  const matcher = allWordsMatcher(query);
  const lines: FoundInHistory['lines'][number][] = [];
  let more = 0;
  let number = latest;
  for (; number > Math.max(0, latest - mostExecutions); number--) {
    if (signal.aborted) throw new LoomError('CANCELLED', 'The search of the outputs was cancelled.');
    const stream = await read(number).catch((error: unknown) => {
      if (error instanceof LoomError && (error.code === 'OUTPUT_GONE' || error.code === 'EXECUTION_NOT_FOUND'))
        return undefined;
      throw error;
    });
    if (stream === undefined) continue;
    const found = atOnce(matchLines(stream.stretches(), matcher)).lines;
    const shown = found.slice(0, Math.min(mostOfOne, limit - lines.length));
    for (const line of shown) {
      const [[, text] = [line, '']] = stream.lines(line);
      lines.push({ execution: number, line, text: clipped(text, lineUnits) });
    }
    more += found.length - shown.length;
  }
  return { lines, more, searched: latest === 0 ? undefined : [number + 1, latest] };
};
