// `ctx_vacuum`: gives free space back to the disk.
import { z } from 'zod';
import { megabytes } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';

export const vacuum = defineTool({
  name: 'ctx_vacuum',
  title: 'Compact the drawer',
  description:
    "Use when a person asked for the drawer's file to be made smaller, after a large purge say: free space goes back to the " +
    'disk. Changes no document. Not needed otherwise: free space is used again.',
  toolsets: ['drawer'],
  effect: 'write',
  needs: ['drawer'],
  input: z.object({}),
  example: {},
  run: async (_, { drawer, control }) => {
    const { before, after } = await drawer.vacuum({}, control);
    return { parts: [`Compacted: ${megabytes(before)} before, ${megabytes(after)} now.`] };
  },
});
