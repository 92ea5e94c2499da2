// loom_activate: what a session begins with.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { primerText } from '#mcp/primer.ts';

export const activate = defineTool({
  name: 'loom_activate',
  title: 'What this session holds',
  description:
    'Use at the beginning of work that goes on from before, or after a compaction: what is in the drawer of your session, which ids ' +
    'came last, whether Python runs, and what to call for what. Not needed before the first file is stored.',
  toolsets: [],
  effect: 'read',
  needs: ['overviews', 'listing'],
  input: z.object({}),
  example: {},
  run: async (_, context) => ({ parts: [await primerText(context)] }),
});
