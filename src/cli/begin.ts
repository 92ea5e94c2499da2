// Loom as `loom` has it: settings from the environment, the folder it was started in for a workspace.
import { version } from '#base/version.ts';
import type { Log } from '#base/log.ts';
import type { ReadSettings } from '#base/settings.ts';
import { assemble, type Loom } from '#assemble.ts';
import { kernelSettings } from '#kernel/room.ts';
import { mcpSettings } from '#mcp/room.ts';
import { passwordKeys } from '#storage/password.ts';
import { storageSettings } from '#storage/room.ts';
import { drawerFolder } from './environment.ts';

/**
 * `root` is the workspace. `onRecoveryKey` tells a person, once, the recovery key of a drawer that is made here; where it is
 * left out, what is said goes into a log, and no such key is made.
 */
export const begin = (
  programs: string,
  settings: ReadSettings,
  root: string,
  log: Log,
  onRecoveryKey?: (key: string) => void,
): Loom => {
  const { passphrase } = settings(storageSettings);
  return assemble({
    programs,
    folder: drawerFolder(settings),
    version: version(),
    log,
    settings,
    keys: async () => passwordKeys(passphrase === '' ? undefined : passphrase, onRecoveryKey !== undefined),
    ...(onRecoveryKey && { onRecoveryKey }),
    services: {
      workspace: {
        root: () => root,
        readable: () => [root, ...settings(mcpSettings).allowedDirs],
        writable: () => root,
        // Whoever starts a program for a folder has trusted it.
        trusted: () => true,
      },
      interpreter: async () => {
        const { 'kernel.backend': backend, 'kernel.python': python } = settings(kernelSettings);
        return { backend, python: python === '' ? undefined : python, cwd: root };
      },
    },
  });
};
