import { z } from 'zod';
import { reportText } from '#ledger/reportText.ts';
import { defineTool } from '#mcp/defineTool.ts';

export const stats = defineTool({
  name: 'ctx_stats',
  title: 'What Loom saved and cost',
  description:
    'Use when asked what Loom saved or cost: tokens kept out of the prompt, tokens paid for listing, calls and answers, ' +
    'and the net, which may be negative. Not needed for any other work.',
  toolsets: ['drawer', 'ledger'],
  effect: 'read',
  input: z.object({
    scope: z
      .enum(['conversation', 'session', 'life'])
      .default('session')
      .describe('This conversation, this client in this workspace, or everything ever.'),
  }),
  example: { scope: 'session' },
  run: async ({ scope }, { engine, caller }) => {
    const { session, conversation } = caller;
    const args = scope === 'life' ? { life: true as const } : scope === 'session' ? { session } : { conversation };
    return { parts: [reportText(await engine.report(args))] };
  },
});
