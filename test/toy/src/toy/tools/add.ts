// `toy_add`: writes a word down.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';

export const add = defineTool({
  name: 'toy_add',
  title: 'Add a word to the toy',
  description: 'Writes a word down.',
  toolsets: ['toy'],
  effect: 'keep',
  input: z.strictObject({ word: z.string().describe('The word.') }),
  example: { word: 'loom' },
  needs: ['toy'],
  run: async ({ word }, { toy, caller }) => {
    const count = await toy.add({ session: caller.session, word });
    return { parts: [`${await toy.turned({ word })} is word ${count}`] };
  },
});
