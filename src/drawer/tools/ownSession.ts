// The argument `session` of tools that work in the own session only.
import { z } from 'zod';
import { LoomError } from '#base/errors.ts';
import type { Caller } from '#mcp/caller.ts';

/** Argument of the tools that work in the caller's own session only. */
export const ownSession = z.string().optional().describe('Your own session, which is meant anyway.');

/** Content of one session is not served to another; `ids` are what was asked for. */
export const readInOwnOrThrow = ({ session }: Caller, named: string | undefined, ids: readonly string[] = []): void => {
  if (named === undefined || named === session) return;
  const call = `ctx_transfer ${JSON.stringify({ ids: ids.length > 0 ? ids : ['d…'], from_session: named })}`;
  const which = ids.length > 0 ? '' : ` (ctx_list_sessions {"session":"${named}"} names its documents)`;
  throw new LoomError(
    'OTHER_SESSION',
    `The content of session ${named} is not served to this one. A copy comes over with ${call}${which}.`,
  );
};

/** What is stored goes into the caller's own session. */
export const storeInOwnOrThrow = ({ session }: Caller, named: string | undefined): void => {
  if (named === undefined || named === session) return;
  throw new LoomError(
    'OTHER_SESSION',
    `Nothing was stored: content is stored in your own session only. Leave session out, and give the id to ctx_transfer {"ids":["d…"],"to_session":"${named}"} afterwards.`,
  );
};
