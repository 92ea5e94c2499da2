import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { infoText } from './executionText.ts';
import { execution } from './fields.ts';

export const executionStatus = defineTool({
  name: 'python_execution_status',
  title: 'State of a Python cell',
  description:
    'Use to learn how one cell stands (running, completed, error, interrupted, killed), its times and how many lines it put ' +
    'out. Not for its output (read_python_output).',
  toolsets: ['kernel'],
  effect: 'read',
  input: z.object({ execution }),
  example: { execution: 7 },
  run: async ({ execution: number }, { kernel, caller, control }) => ({
    parts: [infoText(await kernel.status({ session: caller.session, execution: number }, control))],
  }),
});
