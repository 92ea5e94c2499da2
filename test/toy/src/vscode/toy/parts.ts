// The toy in VS Code: a command.
import * as vscode from 'vscode';
import { z } from 'zod';
import { text } from '#base/view.ts';
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { toyWords } from './words.ts';

export const toy = defineWindowRoom({
  commands: { 'loom.toy.turn': { title: 'Turn a Word', icon: '$(sync)', fromView: z.tuple([text]) } },
  words: toyWords,
  begin: ({ services, session }) => ({
    run: {
      'loom.toy.turn': async (given = 'loom') => {
        const word = String(given);
        await services.toy.add({ session: await session(), word });
        const turned = await services.toy.turned({ word });
        void vscode.window.showInformationMessage(turned);
        return turned;
      },
    },
  }),
});
