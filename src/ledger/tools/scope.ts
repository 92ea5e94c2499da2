// The scope that a call of the ledger's tools names.
import { z } from 'zod';
import type { ReportArgs } from '#ledger/types.ts';
import type { Caller } from '#mcp/caller.ts';

export const scope = z
  .enum(['conversation', 'session', 'life'])
  .default('session')
  .describe('This conversation, this client in this workspace, or everything ever.');

/** What a caller means by a scope. */
export const scopeArgs = (
  name: z.output<typeof scope>,
  { session, conversation }: Pick<Caller, 'session' | 'conversation'>,
): ReportArgs => (name === 'life' ? { life: true } : name === 'session' ? { session } : { conversation });
