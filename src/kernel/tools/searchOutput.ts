// `search_python_output`: lines of an output that match.
import { z } from 'zod';
import { counted, partLimit } from '#base/text.ts';
import type { FoundOutput } from '#kernel/types.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { headerUnits } from './executionText.ts';
import { cursor, execution, maxChars, stream } from './fields.ts';
import { wholenessText } from './readOutput.ts';

const header = (query: string, stream_: string, found: FoundOutput): string => {
  const { info, matches, matchedLines, totalLines, interpretation } = found;
  const where = `In [${info.execution}] ${info.status}, ${stream_}, ${counted(totalLines, 'line')}`;
  const what =
    matches === 0
      ? `no match for ${interpretation} "${query}"`
      : `${counted(matches, 'match', 'matches')} (${interpretation}) in ${counted(matchedLines, 'line')}`;
  return [where, what, ...wholenessText(found, found.cursor)].join(' | ');
};

export const searchOutput = defineTool({
  name: 'search_python_output',
  title: 'Search the output of a Python cell',
  description:
    'Use to find lines in what a cell put out, by literal text or regular expression, with their numbers: "M n | line" for ' +
    'matches, "C n | line" for context. Not for stored documents (ctx_search).',
  toolsets: ['kernel'],
  effect: 'read',
  needs: ['kernel'],
  input: z.object({
    query: z.string().describe('Text or pattern.'),
    execution,
    stream,
    query_mode: z
      .enum(['auto', 'literal', 'regex'])
      .default('auto')
      .describe('auto: a regex, or literal where it does not compile.'),
    context_before: z.int().min(0).max(100).default(0).describe('Lines before each match.'),
    context_after: z.int().min(0).max(100).default(0).describe('Lines after each match.'),
    ignore_case: z.boolean().default(false).describe('Upper and lower case are the same.'),
    max_chars: maxChars,
    cursor,
  }),
  example: { query: 'loss=nan', context_before: 2 },
  run: async (args, { kernel, caller, control }) => {
    const found = await kernel.searchOutput(
      {
        session: caller.session,
        execution: args.execution,
        stream: args.stream,
        query: args.query,
        mode: args.query_mode,
        before: args.context_before,
        after: args.context_after,
        ignoreCase: args.ignore_case,
        maxChars: args.max_chars,
        cursor: args.cursor,
        units: partLimit - headerUnits,
      },
      control,
    );
    const parts = [[header(args.query, args.stream, found), ...(found.text === '' ? [] : [found.text])].join('\n')];
    return { parts, returned: found.text };
  },
});
