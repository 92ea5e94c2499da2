// `ctx_vector_stats`: says that searches compare words, not meanings.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';

export const vectorStats = defineTool({
  name: 'ctx_vector_stats',
  title: 'State of the semantic index',
  description: 'Use when asked whether searches compare meanings. Not needed for searching.',
  toolsets: ['drawer'],
  effect: 'read',
  needs: [],
  input: z.object({}),
  example: {},
  run: (_, { named }) =>
    Promise.resolve({
      parts: [
        named(
          'Semantic index: off; there is none in this version, so 0 vectors. ctx_search goes by words, their stems, parts of ' +
            'identifiers and substrings.',
        ),
      ],
    }),
});
