// `ctx_list_sessions`: what sessions there are.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import { counted, grouped } from '#base/text.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { documentLine, sessionLine } from './sessionText.ts';

const mostDocuments = 100;

export const listSessions = defineTool({
  name: 'ctx_list_sessions',
  title: 'List sessions',
  description:
    'Use to see which sessions the drawer has, what each holds and when it expires, or the ids of one of them before ' +
    'ctx_transfer or a purge. Shows no content. Not for finding something in your own documents (ctx_search).',
  toolsets: ['drawer'],
  effect: 'read',
  needs: ['drawer'],
  input: z.object({ session: z.string().optional().describe('Lists the documents of this session instead.') }),
  example: {},
  run: async ({ session }, { drawer, caller }) => {
    if (session !== undefined) {
      if (!(await drawer.sessions({})).some(({ id }) => id === session))
        throw new LoomError(
          'NOT_FOUND',
          `There is no session ${session.slice(0, 60)}. ctx_list_sessions {} names them.`,
        );
      const documents = await drawer.documents({ session, limit: mostDocuments + 1 });
      const shown = documents.slice(0, mostDocuments);
      const more = documents.length > shown.length ? ` (the newest ${mostDocuments}; there are more)` : '';
      const head = `${counted(shown.length, 'document')} in session ${session}${more}`;
      return { parts: [[head, ...shown.map(documentLine)].join('\n')] };
    }
    const sessions = await drawer.sessions({});
    const expired = sessions.filter((each) => each.expired).length;
    const head = `${counted(sessions.length, 'session')}, ${grouped(expired)} expired`;
    return { parts: [[head, ...sessions.map((each) => sessionLine(each, caller.session))].join('\n')] };
  },
});
