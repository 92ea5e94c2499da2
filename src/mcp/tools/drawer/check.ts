import { z } from 'zod';
import { counted } from '#base/text.ts';
import type { Checked } from '#drawer/checkFacts.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { ownSession, readInOwnOrThrow } from './session.ts';

const where = ({ doc, line }: Checked): string => (line === undefined ? `${doc}` : `${doc} line ${line}`);

const states = {
  anchor: (checked: Checked) => `in the anchor (${where(checked)})`,
  retrievable: (checked: Checked) => `retrievable (${where(checked)})`,
  absent: () => 'absent',
};

const render = (checked: readonly Checked[]): string => {
  const count = (state: Checked['state']): number => checked.filter((one) => one.state === state).length;
  const head = `${counted(checked.length, 'fact')}: ${count('anchor')} in an anchor, ${count('retrievable')} retrievable, ${count('absent')} absent`;
  return [head, ...checked.map((one) => `${JSON.stringify(one.fact)}: ${states[one.state](one)}`)].join('\n');
};

export const check = defineTool({
  name: 'ctx_check',
  title: 'Check facts against the drawer',
  description:
    'Use before relying on facts that came from stored content: says for each, letter by letter, whether it stands in an ' +
    'anchor, only in the content (with document and line), or nowhere. Not a search: ctx_search finds words and spellings.',
  toolsets: ['drawer'],
  effect: 'read',
  input: z.object({
    facts: z.array(z.string().min(1).describe('As it is written.')).min(1).max(50).describe('Texts to look for.'),
    doc: z.string().optional().describe('Only in this document: d7.'),
    session: ownSession,
  }),
  unlisted: ['session'],
  example: { facts: ['10.0.0.5:5432', 'at most 3 retries'], doc: 'd7' },
  run: async ({ facts, doc, session }, { engine, caller, control }) => {
    readInOwnOrThrow(caller, session, doc === undefined ? [] : [doc]);
    return { parts: [render(await engine.check({ session: caller.session, facts, doc }, control))] };
  },
});
