// `read_python_output`: any part of what a cell put out.
import { z } from 'zod';
import { grouped, partLimit } from '#base/text.ts';
import type { OutputPage, Wholeness } from '#kernel/types.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { rangeField } from '#text/range.ts';
import { headerUnits } from './executionText.ts';
import { cursor, execution, maxChars, stream } from './fields.ts';

/** What an answer says of an output that is not all there, and whether it is complete itself. */
export const wholenessText = ({ complete, missing, doubt }: Wholeness, cursor: string | undefined): string[] => {
  const gap =
    missing &&
    `lines ${grouped(missing.from)}-${grouped(missing.to)} (${grouped(missing.units)} characters) ` +
      `${missing.why === undefined ? '' : `${missing.why} and `}are not kept`;
  const next = cursor === undefined ? '' : `, next cursor: ${cursor}`;
  return [gap, doubt, `complete: ${complete ? 'yes' : 'no'}${next}`].filter((part) => part !== undefined);
};

const header = (page: OutputPage, stream_: string): string => {
  const { info, lines, totalLines } = page;
  return [
    `In [${info.execution}] ${info.status}, ${stream_}`,
    page.images.length > 0
      ? `${page.images.length} images`
      : lines[1] < lines[0]
        ? `no lines of ${grouped(totalLines)}`
        : `lines ${lines[0]}-${lines[1]} of ${grouped(totalLines)}`,
    ...wholenessText(page, page.cursor),
  ].join(' | ');
};

export const readOutput = defineTool({
  name: 'read_python_output',
  title: 'Read the output of a Python cell',
  description:
    'Use to read lines of what a cell put out, also while it runs and after a reload. One header line, then the text. ' +
    'Not for finding something (search_python_output).',
  toolsets: ['core', 'kernel'],
  effect: 'read',
  needs: ['kernel'],
  input: z.object({
    execution,
    stream,
    lines: rangeField.optional().describe('"120-180", from 1; "-20:" the last 20.'),
    max_chars: maxChars,
    raw: z.boolean().optional().describe('With control characters.'),
    mime: z.string().optional().describe('Of stream display: text/html, image/png.'),
    cursor,
    show_line_numbers: z.boolean().optional().describe('Number each line.'),
  }),
  // A display's own line names its type; the rest is for those who know it.
  unlisted: ['show_line_numbers', 'max_chars', 'raw', 'mime'],
  otherNames: { line_range: 'lines' },
  example: { execution: 7, lines: '120-180' },
  run: async (args, { kernel, caller, control }) => {
    const page = await kernel.readOutput(
      {
        session: caller.session,
        execution: args.execution,
        stream: args.stream,
        lines: args.lines,
        maxChars: args.max_chars,
        raw: args.raw,
        mime: args.mime,
        cursor: args.cursor,
        numbered: args.show_line_numbers,
        units: partLimit - headerUnits,
      },
      control,
    );
    const parts = [[header(page, args.stream), ...(page.text === '' ? [] : [page.text])].join('\n')];
    return { parts, images: page.images, returned: page.text };
  },
});
