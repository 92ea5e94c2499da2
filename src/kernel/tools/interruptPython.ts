// `interrupt_python`: tells the running cell to stop.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';

export const interruptPython = defineTool({
  name: 'interrupt_python',
  title: 'Interrupt the running Python cell',
  description:
    'Use to stop a cell that runs too long; names stay. The processes that it started get the signal too. Not for a ' +
    'kernel that no longer reacts (reset_python).',
  toolsets: ['core', 'kernel'],
  effect: 'write',
  needs: ['kernel'],
  input: z.object({}),
  example: {},
  run: async (_, { kernel, caller, control, named }) => {
    const { execution, pid } = await kernel.interrupt({ session: caller.session }, control);
    const process_ = pid === undefined ? '' : ` (kernel_pid ${pid})`;
    if (execution === undefined) return { parts: [`idle: no cell is running, nothing was interrupted${process_}`] };
    const next = named(`read_python_output {"execution":${execution}} tells how it ended.`);
    return { parts: [`interrupt_sent to In [${execution}]${process_}. ${next}`] };
  },
});
