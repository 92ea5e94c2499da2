// The archive in VS Code.
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { registerHooks } from './hooks.ts';

export const archive = defineWindowRoom({
  commands: {},
  begin: (window) => ({ run: {}, held: [registerHooks(window)] }),
});
