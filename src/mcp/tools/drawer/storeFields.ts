import { z } from 'zod';

/** Arguments that every storing tool takes. */
export const title = z.string().max(200).optional().describe('Name shown in anchors and hits.');
export const budget = z.int().min(50).max(20_000).optional().describe('Most tokens of the anchor; default 900.');
export const keep = z.boolean().optional().describe('Store small content too, and never evict it.');
