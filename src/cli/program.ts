import { join } from 'node:path';
import type { Log } from '#base/log.ts';
import { version } from '#base/version.ts';
import { startEngine } from '#host/engine.ts';
import type { Environment } from './environment.ts';
import { openGates } from '#mcp/call/guards.ts';
import { startKernelHost } from '#host/kernels.ts';
import type { ServerOptions } from '#mcp/server.ts';
import { passwordKeys } from '#storage/password.ts';

export type Program = {
  options: Omit<ServerOptions, 'mcpSession' | 'toolset'>;
  /** Lets running calls, the kernels and the drawer end in order. */
  close: () => Promise<void>;
};

/** The engine and the kernels of a `loom` that serves, and what its doors need of them. `root` is the workspace. */
export const startProgram = (programs: string, environment: Environment, root: string, log: Log): Program => {
  const { folder, policy, storeCmd, backend, python, passphrase, allowedDirs, rate, schemaProfile, counter } =
    environment;
  const engine = startEngine(programs, { folder, version: version(), policy, counter }, log, async () =>
    // What it says goes into a client's log.
    passwordKeys(passphrase, false),
  );
  const kernel = startKernelHost({ programs, drawer: folder, redact: policy.redact, store: engine.call, log });
  const gates = openGates({ rate, auditFolder: join(folder, 'audit'), log });
  return {
    options: {
      engine: engine.call,
      log,
      gates,
      schemaProfile,
      version: version(),
      client: undefined,
      root: () => root,
      readableFolders: () => [root, ...allowedDirs],
      kernel: kernel.call,
      kernelChoice: async () => ({ backend, python, cwd: root }),
      // Whoever starts a program for a folder has trusted it.
      trusted: () => true,
      storeCmd: () => ({ enabled: storeCmd, workspace: root }),
    },
    close: async () => {
      await gates.close();
      await kernel.close();
      await engine.close();
    },
  };
};
