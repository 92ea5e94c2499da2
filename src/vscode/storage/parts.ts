// The storage in VS Code: how the drawer lies on disk, its export, and what keeps it from working.
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { inSidebar } from '#vscode/sidebarMenu.ts';
import { registerEncryption } from './encryption.ts';
import { exportDrawer } from './exportDrawer.ts';
import { registerRollback } from './rollback.ts';

export const storage = defineWindowRoom({
  commands: {
    'loom.exportDrawer': { title: 'Export Drawer…', icon: '$(save-as)' },
    'loom.resolveProblem': { title: 'Resolve Problem…', icon: '$(warning)', enablement: 'loom.problem' },
  },
  menus: inSidebar({ 'loom.exportDrawer': '2_export@2' }),
  begin: ({ services, engine, context, log, problems }) => ({
    run: {
      'loom.exportDrawer': () => exportDrawer(services.storage),
      'loom.resolveProblem': problems.resolve,
    },
    held: [
      registerEncryption({ ...services, secrets: context.secrets, log }),
      registerRollback({ ...services, engine, state: context.globalState, log }),
    ],
  }),
});
