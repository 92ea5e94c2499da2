// `ctx_check`: whether facts stand in the drawer.
import { z } from 'zod';
import { counted } from '#base/text.ts';
import type { CheckedFact } from '#drawer/types.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { ownSession, readInOwnOrThrow } from './ownSession.ts';

const placesOf = ({ places }: CheckedFact): string =>
  places
    .map(({ doc, lines: [first, last] }) => `${doc} line${first === last ? ` ${first}` : `s ${first}-${last}`}`)
    .join(', ');

const states = {
  anchor: (fact: CheckedFact) =>
    `in the anchor of ${fact.anchor}${fact.places.length > 0 ? `: ${placesOf(fact)}` : ''}`,
  retrievable: (fact: CheckedFact) => `retrievable: ${placesOf(fact)}`,
  absent: () => 'absent',
};

const render = (checked: readonly CheckedFact[]): string => {
  const count = (where: CheckedFact['where']): number => checked.filter((one) => one.where === where).length;
  const head = `${counted(checked.length, 'fact')}: ${count('anchor')} in an anchor, ${count('retrievable')} retrievable, ${count('absent')} absent`;
  return [head, ...checked.map((one) => `${JSON.stringify(one.fact)}: ${states[one.where](one)}`)].join('\n');
};

const output = z.object({
  facts: z
    .array(
      z.object({
        fact: z.string().describe('As it was asked.'),
        where: z.enum(['anchor', 'retrievable', 'absent']).describe('In an anchor, only in the content, or nowhere.'),
        places: z
          .array(
            z.object({
              doc: z.string().describe('Document id.'),
              title: z.string().describe('Its title.'),
              lines: z.array(z.int()).describe('First and last line.'),
            }),
          )
          .describe('In the content.'),
      }),
    )
    .describe('In the order of the call.'),
});

export const check = defineTool({
  name: 'ctx_check',
  title: 'Check facts against the drawer',
  description:
    'Use before relying on facts that came from stored content: says for each, whatever its case and white space, whether it stands in an ' +
    'anchor, only in the content (with document and line), or nowhere. Not a search: ctx_search finds words and spellings.',
  toolsets: ['drawer'],
  effect: 'read',
  needs: ['drawer'],
  input: z.object({
    facts: z.array(z.string().min(1).describe('As it is written.')).min(1).max(50).describe('Texts to look for.'),
    doc: z.string().optional().describe('Only in this document: d7.'),
    session: ownSession,
  }),
  output,
  unlisted: ['session'],
  example: { facts: ['10.0.0.5:5432', 'at most 3 retries'], doc: 'd7' },
  run: async ({ facts, doc, session }, { drawer, caller, control }) => {
    readInOwnOrThrow(caller, session, doc === undefined ? [] : [doc]);
    const checked = await drawer.check({ session: caller.session, facts, doc }, control);
    const structured = { facts: checked.map(({ fact, where, places }) => ({ fact, where, places })) };
    return { parts: [render(checked)], structured };
  },
});
