// `ctx_purge_session`: deletes a session with all it holds.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { purgedText } from './purgedText.ts';

export const purgeSession = defineTool({
  name: 'ctx_purge_session',
  title: 'Delete a session',
  description:
    'Use only when a person asked to delete what a session holds: every document of it goes for good, those marked keep too. ' +
    'Without confirm it says what would go and does nothing. Not for making room: a full drawer evicts by itself.',
  toolsets: ['drawer'],
  effect: 'destructive',
  needs: ['drawer'],
  input: z.object({
    session: z.string().optional().describe('From ctx_list_sessions; your own where it is left out.'),
    confirm: z.boolean().optional().describe('true: purge. Else only say what would go.'),
  }),
  selects: ['session'],
  example: { session: '01930000-0000-7000-8000-000000000000' },
  run: async ({ session, confirm = false }, { drawer, caller, named }) => {
    const whole = session ?? caller.session;
    const purged = await drawer.purge({ session: whole, own: caller.session, confirm });
    const call = `ctx_purge_session ${JSON.stringify({ session: whole, confirm: true })}`;
    return { parts: [purgedText(purged, caller.session, named(call))] };
  },
});
