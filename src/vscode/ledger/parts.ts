// The ledger in VS Code: its net in the status bar, and its export.
import { z } from 'zod';
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { inSidebar } from '#vscode/sidebarMenu.ts';
import { exportLedger } from './exportLedger.ts';
import { registerStatusBar } from './statusBar.ts';
import { ledgerWords } from './words.ts';

/** Nothing is given. */
const alone = z.tuple([]);

export const ledger = defineWindowRoom({
  commands: {
    'loom.exportLedger': { title: 'Export Ledger…', icon: '$(export)', fromView: alone },
    'loom.openLedger': { title: 'Open Ledger', icon: '$(graph)', fromView: alone },
  },
  menus: inSidebar({ 'loom.openLedger': '1_drawer@1', 'loom.exportLedger': '2_export@1' }),
  words: ledgerWords,
  begin: (window) => ({
    run: {
      'loom.exportLedger': () => exportLedger(window.services.ledger, window.session),
      'loom.openLedger': () => window.openPanel('ledger'),
    },
    held: [registerStatusBar(window)],
  }),
});
