// The refusal where a workspace is not trusted.
import { LoomError } from '#base/errors.ts';
import { mcpErrors } from './room.ts';

/** Nothing runs or changes for a workspace that a person has not trusted. */
export const untrusted = (tool: string): LoomError =>
  new LoomError(
    'UNTRUSTED_WORKSPACE',
    `${tool}: this workspace is not trusted, so nothing runs or changes for it; nothing was done. ${mcpErrors.UNTRUSTED_WORKSPACE.fix}`,
  );
