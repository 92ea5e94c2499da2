// `reset_python`: a fresh kernel.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { untrusted } from '#mcp/trust.ts';
import { stateText } from './stateText.ts';

export const resetPython = defineTool({
  name: 'reset_python',
  title: 'Restart the kernel',
  description:
    'Use to start over: a fresh Python, all names and its processes gone, a running cell killed. Outputs and numbers ' +
    'stay. Not to stop one cell (interrupt_python).',
  toolsets: ['core', 'kernel'],
  effect: 'destructive',
  needs: ['kernel', 'interpreter', 'workspace'],
  input: z.object({}),
  example: {},
  run: async (_, { kernel, interpreter, workspace, caller, control }) => {
    if (!workspace.trusted()) throw untrusted('reset_python');
    const state = await kernel.reset({ session: caller.session, choice: await interpreter() }, control);
    return { parts: [`restarted\n${stateText(state)}`] };
  },
});
