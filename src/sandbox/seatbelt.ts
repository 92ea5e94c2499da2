// The sandbox on macOS: Seatbelt, by the library that writes its profiles.
import { spawn } from 'node:child_process';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import { commandEnvironment } from './environment.ts';
import { gated, gateOf, type Gated } from './gate.ts';
import { placesFor } from './places.ts';
import type { Request } from './protocol.ts';

/** Answers why there is no sandbox here, or the command behind its gate. */
export const startInSeatbelt = async (request: Request): Promise<Gated | string> => {
  const { command, cwd, workspace, environment } = request;
  const { errors } = SandboxManager.checkDependencies();
  if (errors.length > 0) return errors.join('; ');
  const places = placesFor(request);
  const pathsAs = (as: string): string[] => places.filter((place) => place.as === as).map(({ path }) => path);
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: pathsAs('hidden'),
      allowRead: [...pathsAs('read'), ...pathsAs('written')],
      allowWrite: [workspace],
      denyWrite: [],
    },
  });
  const waiting = gated('/bin/bash', command);
  const { argv } = await SandboxManager.wrapWithSandboxArgv(waiting, undefined, undefined, undefined, cwd);
  const [program = '', ...args] = argv;
  const env = commandEnvironment(process.env, environment);
  return gateOf(spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit', 'pipe'], detached: true }));
};
