// `python_execution_status`: the state of a cell.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { infoText } from './executionText.ts';
import { execution } from './fields.ts';

const output = z.object({
  execution: z.int().describe('N of In [N].'),
  status: z.enum(['running', 'completed', 'error', 'interrupted', 'killed']).describe('How it stands.'),
  lines: z.int().describe('Lines of output.'),
  submitted_at: z.int().describe('Milliseconds since 1970.'),
  completed_at: z.int().optional().describe('Milliseconds since 1970; none while it runs.'),
});

export const executionStatus = defineTool({
  name: 'python_execution_status',
  title: 'State of a Python cell',
  description:
    'Use to learn how one cell stands (running, completed, error, interrupted, killed), its times and how many lines it put ' +
    'out. Not for its output (read_python_output).',
  toolsets: ['kernel'],
  effect: 'read',
  needs: ['kernel'],
  input: z.object({ execution }),
  example: { execution: 7 },
  output,
  run: async ({ execution: number }, { kernel, caller, control }) => {
    const info = await kernel.status({ session: caller.session, execution: number }, control);
    const { status, totalLines, submittedAt, completedAt } = info;
    const structured = {
      execution: info.execution,
      status,
      lines: totalLines,
      submitted_at: submittedAt,
      ...(completedAt !== undefined && { completed_at: completedAt }),
    };
    return { parts: [infoText(info)], structured };
  },
});
