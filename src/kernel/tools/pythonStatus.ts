// `python_status`: the state of the kernel.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { stateText } from './stateText.ts';

export const pythonStatus = defineTool({
  name: 'python_status',
  title: "The kernel's state",
  description:
    'Use to learn which Python runs, with or without IPython, whether it is busy, and what it cannot do. Not needed before ' +
    'run_python, which starts it.',
  toolsets: ['kernel'],
  effect: 'read',
  needs: ['kernel'],
  input: z.object({}),
  example: {},
  run: async (_, { kernel, caller, control }) => ({
    parts: [stateText(await kernel.state({ session: caller.session }, control))],
  }),
});
