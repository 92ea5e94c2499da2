// `ctx_transfer`: copies or moves documents to another session.
import { z } from 'zod';
import { counted } from '#base/text.ts';
import { splitIds } from '#drawer/ids.ts';
import type { Transferred } from '#drawer/types.ts';
import { defineTool } from '#mcp/defineTool.ts';

const line = ({ from, to, bytes, duplicate }: Transferred): string =>
  `${from} is ${to} there (${counted(bytes, 'byte')}${duplicate ? ', which had the same bytes before' : ''})`;

export const transfer = defineTool({
  name: 'ctx_transfer',
  title: 'Copy or move to another session',
  description:
    'Use to bring documents or chunks of another session into yours, or yours into another: the only way for content to ' +
    'cross. They become new documents with new ids. Not needed within a session.',
  toolsets: ['drawer'],
  effect: 'write',
  needs: ['drawer'],
  input: z.object({
    ids: z.array(z.string().describe('d7 or d7.12.')).min(1).max(100).describe('Documents or chunks.'),
    from_session: z.string().optional().describe('Where they are; yours where it is left out.'),
    to_session: z.string().optional().describe('Where they go; yours where it is left out.'),
    move: z.boolean().optional().describe('Remove the originals; their ids then name the new ones. Documents only.'),
  }),
  selects: ['from_session', 'to_session'],
  example: { ids: ['d7'], from_session: '01930000-0000-7000-8000-000000000000' },
  run: async ({ ids, from_session: from, to_session: to, move = false }, { drawer, caller, control }) => {
    const target = to ?? caller.session;
    const done = await drawer.transfer(
      { ids: ids.flatMap(splitIds), from: from ?? caller.session, to: target, move },
      control,
    );
    const where = target === caller.session ? 'your session' : `session ${target}`;
    return { parts: [[`${move ? 'Moved' : 'Copied'} to ${where}:`, ...done.map(line)].join('\n')] };
  },
});
