// A search in what one cell put out.
import { LoomError } from '#base/errors.ts';
import { clipped } from '#kernel/output/page.ts';
import { atOnce } from '#base/slices.ts';
import { literalMatcher, matchLines, type LineMatches } from '#text/matchLines.ts';
import { compile, regexHits } from './regex.ts';
import type { FoundOutput, SearchOutputArgs, Wholeness } from '#kernel/types.ts';
import type { StreamText } from '#kernel/output/stream.ts';

type Query = Omit<SearchOutputArgs, 'session' | 'execution' | 'stream'>;
type Found = Omit<FoundOutput, 'info' | keyof Wholeness>;

/** Units after which a found line is clipped where the caller says nothing. */
const defaultLineUnits = 2_000;

const hitsOf = async (
  program: string,
  stream: StreamText,
  { query, mode, ignoreCase }: Query,
): Promise<LineMatches & { interpretation: 'literal' | 'regex' }> => {
  if (mode !== 'literal') {
    const pattern = compile(query, ignoreCase);
    if (typeof pattern !== 'string')
      return { ...(await regexHits(program, [...stream.stretches()], pattern)), interpretation: 'regex' };
    if (mode === 'regex')
      throw new LoomError('INVALID_QUERY', `${pattern}. Correct the pattern, or set query_mode to "literal".`);
  }
  const found = atOnce(matchLines(stream.stretches(), literalMatcher(query, ignoreCase)));
  return { ...found, interpretation: 'literal' };
};

/** Lines that hold the query, each once, with those around them; as many as fit, from the cursor's line on. */
export const searchStream = async (program: string, stream: StreamText, query: Query): Promise<Found> => {
  const hits = await hitsOf(program, stream, query);
  const { before, after, units, maxChars = defaultLineUnits } = query;
  const start = query.cursor === undefined ? 1 : Number(query.cursor);
  if (!Number.isSafeInteger(start)) throw new LoomError('INVALID_ARGUMENTS', `cursor: "${query.cursor}" is no line.`);
  const found = new Set(hits.lines);
  const wanted = hits.lines.flatMap((line) => Array.from({ length: before + after + 1 }, (_, n) => line - before + n));
  const shown = new Set(before + after === 0 ? hits.lines : wanted);
  const parts: string[] = [];
  let room = units;
  let cursor: string | undefined;
  let last = 0;
  for (const line of shown) last = Math.max(last, line);
  for (const [n, line] of stream.lines(start)) {
    if (n > last) break;
    if (!shown.has(n)) continue;
    const part = `${found.has(n) ? 'M' : 'C'} ${n} | ${clipped(line, Math.min(maxChars, units - 100))}`;
    room -= part.length + 1;
    if (room < 0) {
      cursor = String(n);
      break;
    }
    parts.push(part);
  }
  return {
    interpretation: hits.interpretation,
    matchedLines: hits.lines.length,
    matches: hits.matches,
    totalLines: stream.totalLines,
    text: parts.join('\n'),
    cursor,
  };
};
