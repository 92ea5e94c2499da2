import type { CommandId } from './contributions.ts';

type Item = { when?: string; group: string } & ({ command: CommandId } | { submenu: keyof typeof submenus });

/** A context menu shows no category: what stands there alone would not say whose it is. */
export const submenus = { 'loom.editor': 'Loom', 'loom.terminal': 'Loom' } as const;

/** Where commands stand beside the palette, by VS Code's name of the menu. `sidebar` is the view's id. */
export const menus = (sidebar: string): Record<string, readonly Item[]> => ({
  'view/title': [
    { command: 'loom.searchDrawer', when: `view == ${sidebar}`, group: 'navigation@1' },
    { command: 'loom.storeFile', when: `view == ${sidebar}`, group: 'navigation@2' },
    { command: 'loom.openDrawer', when: `view == ${sidebar}`, group: 'navigation@3' },
    { command: 'loom.openLedger', when: `view == ${sidebar}`, group: '1_drawer@1' },
    { command: 'loom.setProfile', when: `view == ${sidebar}`, group: '1_drawer@2' },
    { command: 'loom.purge', when: `view == ${sidebar}`, group: '1_drawer@3' },
    { command: 'loom.exportLedger', when: `view == ${sidebar}`, group: '2_export@1' },
    { command: 'loom.exportDrawer', when: `view == ${sidebar}`, group: '2_export@2' },
    { command: 'loom.check', when: `view == ${sidebar}`, group: '4_help@1' },
    { command: 'loom.showLog', when: `view == ${sidebar}`, group: '4_help@2' },
    { command: 'loom.openWalkthrough', when: `view == ${sidebar}`, group: '4_help@3' },
  ],
  'explorer/context': [{ command: 'loom.storeResource', when: '!explorerResourceIsFolder', group: '7_loom@1' }],
  'editor/context': [{ submenu: 'loom.editor', group: '9_loom@1' }],
  'loom.editor': [
    { command: 'loom.storeSelection', when: 'editorHasSelection', group: '1_store@1' },
    { command: 'loom.storeActiveFile', group: '1_store@2' },
    { command: 'loom.searchDrawer', group: '2_search@1' },
    { command: 'loom.kernel.runSelection', when: 'editorLangId == python', group: '3_kernel@1' },
  ],
  'terminal/context': [{ submenu: 'loom.terminal', group: '9_loom@1' }],
  'loom.terminal': [
    { command: 'loom.storeTerminalSelection', group: '1_store@1' },
    { command: 'loom.searchDrawer', group: '2_search@1' },
  ],
});
