// Loom itself in VS Code: the self-test, the walkthrough, the configuration of other clients.
import { join } from 'node:path';
import { z } from 'zod';
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { inSidebar } from '#vscode/sidebarMenu.ts';
import { registerReport } from '#vscode/ui/reportDocument.ts';
import { check } from './check.ts';
import { copyClientConfiguration, refreshLauncher } from './clientConfiguration.ts';
import { askAgent, openWalkthrough } from './guide.ts';

export const loom = defineWindowRoom({
  commands: {
    'loom.copyClientConfiguration': { title: 'Copy MCP Configuration for Another Client…', icon: '$(copy)' },
    'loom.askAgent': { title: 'Ask the Agent', icon: '$(comment-discussion)', hidden: true },
    'loom.check': { title: 'Check', icon: '$(checklist)' },
    'loom.showLog': { title: 'Show Log', icon: '$(output)', fromView: z.tuple([]) },
    'loom.openWalkthrough': { title: 'Open Walkthrough', icon: '$(book)' },
  },
  menus: {
    ...inSidebar({ 'loom.check': '4_help@1', 'loom.showLog': '4_help@2', 'loom.openWalkthrough': '4_help@3' }),
    'editor/context': [{ submenu: 'loom.editor', group: '9_loom@1' }],
    'terminal/context': [{ submenu: 'loom.terminal', group: '9_loom@1' }],
  },
  begin: ({ services, host, context, programs, drawer, log }) => {
    const report = registerReport();
    const clients = { programs, storage: join(drawer, '..'), drawer };
    refreshLauncher(clients);
    return {
      run: {
        'loom.copyClientConfiguration': () => copyClientConfiguration(clients),
        'loom.askAgent': askAgent,
        'loom.check': () => check({ ...services, programs, host, report }),
        'loom.showLog': () => log.show(),
        'loom.openWalkthrough': () => openWalkthrough(context.extension.id),
      },
      held: [report],
    };
  },
});
