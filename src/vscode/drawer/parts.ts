// The drawer in VS Code: storing and searching, and its documents in editors.
import { z } from 'zod';
import { text } from '#base/view.ts';
import { defineWindowRoom, type Item } from '#vscode/defineWindowRoom.ts';
import { inSidebar } from '#vscode/sidebarMenu.ts';
import { openById, registerDocuments } from './documents.ts';
import { setProfile } from './profile.ts';
import { purgeSessions } from './purge.ts';
import { searchDrawer } from './search.ts';
import { storeCommands } from './storeCommands.ts';
import { drawerWords } from './words.ts';

/** Nothing is given. */
const alone = z.tuple([]);
/** A document or a chunk of it, and a line, counted from 1. */
const place = z.tuple([text, z.int().min(1).optional()]);
const search: Item = { command: 'loom.searchDrawer', group: '2_search@1' };

export const drawer = defineWindowRoom({
  commands: {
    'loom.storeActiveFile': { title: 'Store Active File', icon: '$(archive)', fromView: alone },
    'loom.storeSelection': { title: 'Store Selection', icon: '$(selection)', enablement: 'editorHasSelection' },
    'loom.storeFile': { title: 'Store File…', icon: '$(new-file)', fromView: alone },
    'loom.storeResource': { title: 'Store in Loom', icon: '$(archive)', hidden: true },
    'loom.storeClipboard': { title: 'Store Clipboard', icon: '$(clippy)' },
    'loom.storeTerminalSelection': {
      title: 'Store Terminal Selection',
      icon: '$(terminal)',
      enablement: 'terminalCount > 0',
    },
    'loom.searchDrawer': { title: 'Search Drawer…', icon: '$(search)', fromView: alone },
    'loom.setProfile': { title: 'Set Profile…', icon: '$(settings)' },
    'loom.purge': { title: 'Purge…', icon: '$(trash)', fromView: z.tuple([text]) },
    'loom.openDrawer': { title: 'Open Drawer', icon: '$(database)', fromView: z.tuple([text.optional()]) },
    'loom.openDocument': { title: 'Open Document', icon: '$(go-to-file)', hidden: true, fromView: place },
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
  words: drawerWords,
  begin: ({ services, session, log, openPanel }) => {
    const { drawer: service } = services;
    return {
      run: {
        ...storeCommands({ drawer: service, session }),
        'loom.searchDrawer': (query) => searchDrawer(service, query),
        'loom.setProfile': () => setProfile(service, session),
        'loom.purge': (named) => purgeSessions(service, session, named),
        'loom.openDrawer': (tab) => openPanel(tab === 'sessions' ? tab : 'documents'),
        'loom.openDocument': (...args) => openById(service, ...place.parse(args)),
      },
      held: [registerDocuments(service, log)],
    };
  },
});
