// The kernel in VS Code: a person's cells in the agent's Python, and what runs in the status bar.
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { kernelCommands } from './commands.ts';
import { registerKernelOutput } from './outputDocument.ts';
import { registerKernelStatus } from './status.ts';
import { openExample } from './example.ts';

export const kernel = defineWindowRoom({
  commands: {
    'loom.kernel.runSelection': { title: 'Run Selection in Kernel', icon: '$(run)' },
    'loom.kernel.openExample': { title: 'Open an Example Cell', icon: '$(beaker)', hidden: true },
    'loom.kernel.interrupt': { title: 'Interrupt Kernel', icon: '$(debug-stop)' },
    'loom.kernel.reset': { title: 'Reset Kernel', icon: '$(debug-restart)' },
  },
  menus: {
    'loom.editor': [{ command: 'loom.kernel.runSelection', when: 'editorLangId == python', group: '3_kernel@1' }],
  },
  begin: ({ services, session }) => {
    const output = registerKernelOutput();
    return {
      run: { ...kernelCommands({ ...services, session, output }), 'loom.kernel.openExample': openExample },
      held: [output, registerKernelStatus(services.kernel)],
    };
  },
});
