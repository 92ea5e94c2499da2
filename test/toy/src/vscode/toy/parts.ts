// The toy in VS Code: a command.
import * as vscode from 'vscode';
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';

export const toy = defineWindowRoom({
  commands: { 'loom.toy.turn': { title: 'Turn a Word', icon: '$(sync)' } },
  begin: ({ services }) => ({
    run: {
      'loom.toy.turn': async (word) => {
        const turned = await services.toy.turned({ word: String(word) });
        void vscode.window.showInformationMessage(turned);
        return turned;
      },
    },
  }),
});
