// The ledger in VS Code: its net in the status bar, and its export.
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { inSidebar } from '#vscode/sidebarMenu.ts';
import { exportLedger } from './exportLedger.ts';
import { registerStatusBar } from './statusBar.ts';

export const ledger = defineWindowRoom({
  commands: {
    'loom.exportLedger': { title: 'Export Ledger…', icon: '$(export)' },
    'loom.openLedger': { title: 'Open Ledger', icon: '$(graph)' },
  },
  menus: inSidebar({ 'loom.openLedger': '1_drawer@1', 'loom.exportLedger': '2_export@1' }),
  begin: (window) => ({
    run: {
      'loom.exportLedger': () => exportLedger(window.services.ledger, window.session),
      'loom.openLedger': () => window.openPanel('ledger'),
    },
    held: [registerStatusBar(window)],
  }),
});
