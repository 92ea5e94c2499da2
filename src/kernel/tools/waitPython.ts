// `wait_python`: waits for a cell to end.
import { z } from 'zod';
import { partLimit } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { executionAnswer, headerUnits, milliseconds } from './executionText.ts';
import { execution } from './fields.ts';

export const waitPython = defineTool({
  name: 'wait_python',
  title: 'Wait for a Python cell',
  description:
    'Use when run_python said that the cell is still running: waits for its end and answers as run_python does. Never stops ' +
    'the cell. Not needed after an answer that says completed.',
  toolsets: ['kernel'],
  effect: 'read',
  needs: ['kernel'],
  input: z.object({
    execution,
    timeout_seconds: z.number().positive().default(30).describe('Seconds to wait.'),
  }),
  example: { execution: 7, timeout_seconds: 60 },
  run: async ({ execution: number, timeout_seconds }, { kernel, caller, control, named }) => {
    const { session } = caller;
    const args = { session, execution: number, wait: milliseconds(timeout_seconds), units: partLimit - headerUnits };
    return executionAnswer(await kernel.wait(args, control), named);
  },
});
