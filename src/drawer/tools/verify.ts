// `ctx_verify`: whether every byte is there.
import { z } from 'zod';
import { counted, grouped } from '#base/text.ts';
import type { VerifiedAll } from '#drawer/types.ts';
import { defineTool } from '#mcp/defineTool.ts';

const render = ({ faulty, only, ...all }: VerifiedAll): string => {
  if (all.documents === 0) return 'Nothing to verify: no document is stored there.';
  const { found, expected, byWords } = all.indexed;
  const waiting = all.chunks - expected;
  const anchor = only?.inAnchor === undefined ? '' : `, ${grouped(only.inAnchor)} of them visible in the anchor`;
  return [
    `${counted(all.documents, 'document')}, ${counted(all.bytes, 'byte')}, ${counted(all.chunks, 'chunk')}: ${faulty.length === 0 ? 'no fault' : counted(faulty.length, 'faulty document')}`,
    `bytes: joined from the chunks and compared by SHA-256${only ? ` (${only.sha256})` : ''}`,
    `invariants: ${grouped(all.retrieved)} of ${grouped(all.invariants)} retrievable${anchor}`,
    `index: ${grouped(found)} of ${grouped(expected)} chunks there, ${grouped(byWords)} looked up by their own words${waiting > 0 ? `, ${grouped(waiting)} still wait for it` : ''}`,
    ...faulty.map(({ doc, faults }) => `${doc}: ${faults.join('; ')}`),
  ].join('\n');
};

export const verify = defineTool({
  name: 'ctx_verify',
  title: 'Verify what is stored',
  description:
    'Use to prove that stored documents are whole: bytes against SHA-256, chunks against bytes, every number, path, id and ' +
    'constraint retrievable, index against content. Shows no content. Not for finding whether something is in there ' +
    '(ctx_check, ctx_search).',
  toolsets: ['drawer'],
  effect: 'read',
  needs: ['drawer'],
  input: z.object({
    doc: z.string().optional().describe('One document: d7.'),
    session: z
      .string()
      .optional()
      .describe('All of a session; yours where both are left out, "all" for the whole drawer.'),
  }),
  example: { doc: 'd7' },
  run: async ({ doc, session }, { drawer, caller, control }) => {
    const scope = session === 'all' ? {} : { session: session ?? caller.session };
    const verified = await drawer.verify({ ...scope, ...(doc !== undefined && { doc }) }, control);
    return { parts: [render(verified)] };
  },
});
