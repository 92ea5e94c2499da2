// `loom_stats`: what Loom cost and gained.
import { z } from 'zod';
import { reportText } from '#ledger/reportText.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { scope, scopeArgs } from './scope.ts';

export const stats = defineTool({
  name: 'ctx_stats',
  title: 'What Loom saved and cost',
  description:
    'Use when asked what Loom saved or cost: tokens kept out of the prompt, tokens paid for listing, calls and answers, ' +
    'and the net, which may be negative. Not needed for any other work.',
  toolsets: ['drawer', 'ledger'],
  effect: 'read',
  needs: ['ledger'],
  input: z.object({ scope }),
  example: { scope: 'session' },
  run: async ({ scope: of }, { ledger, caller }) => ({
    parts: [reportText(await ledger.report(scopeArgs(of, caller)))],
  }),
});
