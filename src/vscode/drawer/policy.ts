import type * as vscode from 'vscode';
import type { Log } from '#base/log.ts';
import type { Engine } from '#host/engine.ts';
import type { KernelHost } from '#host/kernels.ts';
import type { Problems } from '#vscode/storage/problems.ts';
import { drawerPolicy, onSettingChange } from '#vscode/settings.ts';

type PolicyDeps = { engine: Engine; kernel: KernelHost; problems: Problems; log: Log };

/** Tells the engine and the kernel what a person decides about the drawer, as soon as they do. */
export const followPolicy = ({ engine, kernel, problems, log }: PolicyDeps): vscode.Disposable => {
  const follow = async (): Promise<void> => {
    const policy = drawerPolicy(log);
    await engine.setPolicy(policy);
    await kernel.setRedact(policy.redact);
    // A full drawer may be larger now.
    problems.look();
  };
  return onSettingChange(
    ['loom.drawer.ttlDays', 'loom.drawer.maxSizeMB', 'loom.drawer.whenFull', 'loom.redact'],
    () =>
      void follow().catch((error: unknown) => log.error('changed settings of the drawer were not passed on', error)),
  );
};
