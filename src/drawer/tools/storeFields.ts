// Arguments that all stores take.
import { z } from 'zod';
import type { Profile } from '#drawer/types.ts';
import { ownSession } from './ownSession.ts';

/** Arguments that every storing tool takes. */
export const title = z.string().max(200).optional().describe('Shown in anchors and hits.');
export const budget = z.int().min(50).max(20_000).optional().describe('Most tokens of the anchor; default 900.');
export const keep = z.boolean().optional().describe('Store small content too, and never evict it.');

export const profileNames = ['strict', 'balanced', 'aggressive'] as const satisfies readonly Profile[];

/** Those that few calls need: accepted, but not listed. */
export const rareFields = {
  profile: z.enum(profileNames).optional().describe("How much the anchor shows; your session's own where left out."),
  explain: z.boolean().optional().describe('Add the full report.'),
  session: ownSession,
};
export const unlisted = ['budget', 'profile', 'explain', 'session'] as const;
