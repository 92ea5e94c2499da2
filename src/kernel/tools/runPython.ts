// `run_python`: runs a cell.
import { z } from 'zod';
import { partLimit } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { executionAnswer, headerUnits, milliseconds } from './executionText.ts';

export const runPython = defineTool({
  name: 'run_python',
  title: 'Run Python in the kernel',
  description:
    'Use to compute, analyse data or try code in a Python that remembers names between calls. Output is kept under a number: ' +
    'long output comes as an excerpt, the rest is read or searched later. A timeout never stops the cell. Not for input(), ' +
    'and not while a cell runs: nothing is queued.',
  toolsets: ['core', 'kernel'],
  effect: 'execute',
  needs: ['kernel', 'interpreter'],
  input: z.object({
    code: z.string().describe('Cell: top-level await, %magics and !commands (with IPython) work.'),
    timeout_seconds: z.number().positive().optional().describe('Wait this long, default 10.'),
    full_output: z.boolean().optional().describe('All output, not an excerpt.'),
    interrupt_on_cancel: z.boolean().optional().describe('Stop the cell if this call is cancelled.'),
  }),
  // A model cancels nothing: this is for clients.
  unlisted: ['interrupt_on_cancel'],
  otherNames: { freeform: 'code' },
  example: { code: 'sum(range(10))' },
  run: async ({ code, timeout_seconds, full_output, interrupt_on_cancel }, context) => {
    const { kernel, interpreter, caller, control, named } = context;
    const args = {
      session: caller.session,
      account: { client: caller.client, conversation: caller.conversation },
      code,
      choice: await interpreter(),
      wait: timeout_seconds === undefined ? undefined : milliseconds(timeout_seconds),
      fullOutput: full_output,
      interruptOnCancel: interrupt_on_cancel,
      units: partLimit - headerUnits,
    };
    return executionAnswer(await kernel.run(args, control), named);
  },
});
