// The routers: other tools of Loom by their names.
import { z } from 'zod';
import { defineTool, type Answer, type ToolContext } from '#mcp/defineTool.ts';

const input = z.object({
  op: z.string().describe('Its name, or help.'),
  arguments: z.looseObject({}).optional().describe('Its arguments.'),
  query: z.string().optional().describe('With help: what you need.'),
});

/** The pipeline calls what `op` names; what arrives here is the call for help. */
const help = async (
  { query, arguments: inner }: z.output<typeof input>,
  { listing }: ToolContext<'listing'>,
): Promise<Answer> => {
  const words = query ?? inner?.['query'];
  return { parts: [listing.help(typeof words === 'string' ? words : '')] };
};

export const op = defineTool({
  name: 'loom_op',
  title: 'Call another read-only tool of Loom',
  description:
    'Use to call a tool of Loom that is not in this list: wait for, search or inspect Python cells, check facts, verify, list ' +
    'sessions, what Loom cost, search everything. {"op":"help","query":"…"} finds tools with their arguments. Not for listed tools.',
  toolsets: ['core', 'drawer', 'kernel', 'ledger'],
  effect: 'read',
  needs: ['listing'],
  input,
  example: { op: 'wait_python', arguments: { execution: 7 } },
  routes: ['read', 'keep'],
  run: help,
});

export const opWrite = defineTool({
  name: 'loom_op_write',
  title: "Call another tool of Loom that changes Loom's own state",
  description:
    "As loom_op, for tools that change Loom's state: anchor size, copies between sessions, index, file size. Not for deleting or running code.",
  toolsets: ['core', 'drawer', 'kernel'],
  effect: 'write',
  needs: ['listing'],
  input,
  unlisted: ['query'],
  example: { op: 'ctx_profile', arguments: { profile: 'balanced' } },
  routes: ['write'],
  run: help,
});
