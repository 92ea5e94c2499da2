// `ctx_rebuild_index`: makes the search index anew.
import { z } from 'zod';
import { counted } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';

export const rebuildIndex = defineTool({
  name: 'ctx_rebuild_index',
  title: 'Rebuild the search index',
  description:
    'Use when ctx_verify says that the index and the content differ: the index is made anew from the content. Searches work ' +
    'meanwhile, more slowly. Not a remedy for a search that finds nothing: try other words.',
  toolsets: ['drawer'],
  effect: 'write',
  needs: ['drawer'],
  input: z.object({}),
  example: {},
  run: async (_, { drawer, control }) => {
    const { documents, chunks } = await drawer.rebuildIndex({}, control);
    const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`;
    return { parts: [`The index was made anew from the content: ${size}.`] };
  },
});
