// `ctx_purge_expired`: deletes what nobody used for long.
import { z } from 'zod';
import { defineTool } from '#mcp/defineTool.ts';
import { purgedText } from './purgedText.ts';

export const purgeExpired = defineTool({
  name: 'ctx_purge_expired',
  title: 'Delete expired sessions',
  description:
    'Use only when a person asked to delete what has expired now; it happens by itself every day. Without confirm it says ' +
    'what would go and does nothing. Not for a session that is still in use (ctx_purge_session).',
  toolsets: ['drawer'],
  effect: 'destructive',
  needs: ['drawer'],
  input: z.object({ confirm: z.boolean().optional().describe('true: purge. Else only say what would go.') }),
  example: { confirm: true },
  run: async ({ confirm = false }, { drawer, caller, named }) => {
    const purged = await drawer.purge({ own: caller.session, confirm });
    return { parts: [purgedText(purged, caller.session, named('ctx_purge_expired {"confirm":true}'))] };
  },
});
