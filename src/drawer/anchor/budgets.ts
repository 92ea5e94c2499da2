// What an anchor may cost, in tokens.
import type { Profile } from '#drawer/types.ts';

/** Tokens of an anchor where the caller does not say. */
export const budgets: Readonly<Record<Profile, number>> = { strict: 900, balanced: 500, aggressive: 200 };

/** Tokens of a text, in slices. */
export type Count = (text: string) => Generator<void, { tokens: number; estimated: boolean }>;
