import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another extension, in `folder`: it wants a view in a place that is proposed API, and says so. */
export const writeBystander = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: 'bystander',
    publisher: 'loom',
    version: '0.0.1',
    engines: { vscode: '*' },
    enabledApiProposals: ['contribViewsRemote'],
    contributes: {
      views: {
        explorer: [{ id: 'bystander.stable', name: 'Stable' }],
        remote: [{ id: 'bystander.proposed', name: 'Proposed' }],
      },
    },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
};
