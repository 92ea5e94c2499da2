// `ctx_health`: the state of the drawer.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { healthText } from '#storage/healthText.ts';

export const health = defineTool({
  name: 'ctx_health',
  title: "The drawer's state",
  description:
    "Use when a drawer tool failed, or when asked about the drawer's size and state. Not needed for any other work.",
  toolsets: ['drawer'],
  effect: 'read',
  needs: ['storage'],
  input: z.object({}),
  example: {},
  run: async (_, { storage }) => ({ parts: [healthText(await storage.health({}))] }),
});
