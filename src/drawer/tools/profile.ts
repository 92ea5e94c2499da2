// `ctx_profile`: how long anchors are.
import { z } from 'zod';
import { budgets } from '#drawer/anchor/budgets.ts';
import { defineTool } from '#mcp/defineTool.ts';
import { profileNames } from './storeFields.ts';

const sizes = profileNames.map((name) => `${name} ${budgets[name]}`).join(', ');

export const profile = defineTool({
  name: 'ctx_profile',
  title: 'Show or set the profile',
  description:
    'Use to see or set how much anchors show in your session from now on: strict (most), balanced, aggressive (least). Changes ' +
    'no stored byte. Not for one document: give ctx_store a profile or a budget.',
  toolsets: ['drawer'],
  effect: 'write',
  needs: ['drawer'],
  input: z.object({
    profile: z.enum(profileNames).optional().describe('The new one; left out: only show it.'),
    session: z.string().optional().describe('Yours where it is left out.'),
  }),
  selects: ['session'],
  example: { profile: 'balanced' },
  run: async ({ profile: wanted, session }, { drawer, caller }) => {
    const name = await drawer.profile({ session: session ?? caller.session, profile: wanted });
    const verb = wanted === undefined ? 'is' : 'is now';
    return { parts: [`The profile ${verb} ${name}. Most tokens of an anchor: ${sizes}. What is stored is the same.`] };
  },
});
