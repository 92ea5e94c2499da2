// The archive in the program of the editor's window.
import { randomBytes } from 'node:crypto';
import type { HostDeps, HostRunning } from '#base/room.ts';
import { createArchive, type Archive } from './archive.ts';
import { archiveSettings } from './room.ts';
import { savedOutputs } from './savedOutput.ts';

/** The archive, and the token of its path: every program that the extension host starts sees it, so it is one of its own. */
export type ArchiveService = Archive & { token: string };

export const archiveHost = ({ drawer, log, settings, workspace, folder }: HostDeps<'drawer'>): HostRunning => {
  const archive = createArchive({
    drawer,
    log,
    enabled: () => settings(archiveSettings)['archive.enabled'],
    threshold: () => settings(archiveSettings)['archive.threshold'],
    // What the agent of the editor saw is the editor's.
    session: () => drawer.session({ client: 'vscode', root: workspace.root() }),
    savedOutput: savedOutputs(folder),
  });
  const token = randomBytes(32).toString('hex');
  return { service: { ...archive, token } satisfies ArchiveService, close: archive.idle };
};

declare module '#base/room.ts' {
  interface Services {
    archive: ArchiveService;
  }
}
