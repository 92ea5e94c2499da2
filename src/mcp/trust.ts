import { errorKinds, LoomError } from '#base/errors.ts';

/** No code runs for a workspace that a person has not trusted. */
export const untrusted = (tool: string): LoomError =>
  new LoomError(
    'UNTRUSTED_WORKSPACE',
    `${tool}: this workspace is not trusted, so no code runs for it. ${errorKinds.UNTRUSTED_WORKSPACE.fix}`,
  );
