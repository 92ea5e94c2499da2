// The drawer in VS Code: storing and searching, and its documents in editors.
import { defineWindowRoom, type Item } from '#vscode/defineWindowRoom.ts';
import { inSidebar } from '#vscode/sidebarMenu.ts';
import { registerDocuments } from './documents.ts';
import { setProfile } from './profile.ts';
import { purgeSessions } from './purge.ts';
import { searchDrawer } from './search.ts';
import { storeCommands } from './storeCommands.ts';

const search: Item = { command: 'loom.searchDrawer', group: '2_search@1' };

export const drawer = defineWindowRoom({
  commands: {
    'loom.storeActiveFile': { title: 'Store Active File', icon: '$(archive)' },
    'loom.storeSelection': { title: 'Store Selection', icon: '$(selection)', enablement: 'editorHasSelection' },
    'loom.storeFile': { title: 'Store File…', icon: '$(new-file)' },
    'loom.storeResource': { title: 'Store in Loom', icon: '$(archive)', hidden: true },
    'loom.storeClipboard': { title: 'Store Clipboard', icon: '$(clippy)' },
    'loom.storeTerminalSelection': {
      title: 'Store Terminal Selection',
      icon: '$(terminal)',
      enablement: 'terminalCount > 0',
    },
    'loom.searchDrawer': { title: 'Search Drawer…', icon: '$(search)' },
    'loom.setProfile': { title: 'Set Profile…', icon: '$(settings)' },
    'loom.purge': { title: 'Purge…', icon: '$(trash)' },
    'loom.openDrawer': { title: 'Open Drawer', icon: '$(database)' },
  },
  menus: {
    ...inSidebar({
      'loom.searchDrawer': 'navigation@1',
      'loom.storeFile': 'navigation@2',
      'loom.openDrawer': 'navigation@3',
      'loom.setProfile': '1_drawer@2',
      'loom.purge': '1_drawer@3',
    }),
    'explorer/context': [{ command: 'loom.storeResource', when: '!explorerResourceIsFolder', group: '7_loom@1' }],
    'loom.editor': [
      { command: 'loom.storeSelection', when: 'editorHasSelection', group: '1_store@1' },
      { command: 'loom.storeActiveFile', group: '1_store@2' },
      search,
    ],
    'loom.terminal': [{ command: 'loom.storeTerminalSelection', group: '1_store@1' }, search],
  },
  begin: ({ services, session, log, openPanel }) => {
    const { drawer: service } = services;
    return {
      run: {
        ...storeCommands({ drawer: service, session }),
        'loom.searchDrawer': (query) => searchDrawer(service, query),
        'loom.setProfile': () => setProfile(service, session),
        'loom.purge': (named) => purgeSessions(service, session, named),
        'loom.openDrawer': (tab) => openPanel(tab === 'sessions' ? tab : 'documents'),
      },
      held: [registerDocuments(service, log)],
    };
  },
});
