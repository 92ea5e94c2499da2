// The kernel in VS Code: a person's cells in the agent's Python, and what runs in the status bar.
import { z } from 'zod';
import { text } from '#base/view.ts';
import { streamNames } from '#kernel/types.ts';
import { defineWindowRoom } from '#vscode/defineWindowRoom.ts';
import { kernelCommands } from './commands.ts';
import { registerKernelOutput } from './outputDocument.ts';
import { openExample } from './example.ts';
import { registerKernelStatus } from './status.ts';
import { registerStreams } from './streamDocument.ts';
import { kernelWords } from './words.ts';

/** Session, number of the cell, stream. */
const stream = z.tuple([text, z.int().min(1), z.enum(streamNames)]);

export const kernel = defineWindowRoom({
  commands: {
    'loom.kernel.runSelection': { title: 'Run Selection in Kernel', icon: '$(run)' },
    'loom.kernel.openExample': { title: 'Open an Example Cell', icon: '$(beaker)', hidden: true },
    'loom.kernel.interrupt': { title: 'Interrupt Kernel', icon: '$(debug-stop)' },
    'loom.kernel.reset': { title: 'Reset Kernel', icon: '$(debug-restart)' },
    'loom.kernel.openStream': { title: 'Open Output of a Cell', icon: '$(output)', hidden: true, fromView: stream },
  },
  menus: {
    'loom.editor': [{ command: 'loom.kernel.runSelection', when: 'editorLangId == python', group: '3_kernel@1' }],
  },
  words: kernelWords,
  begin: ({ services, session }) => {
    const output = registerKernelOutput();
    const streams = registerStreams(services.kernel);
    return {
      run: {
        ...kernelCommands({ ...services, session, output }),
        'loom.kernel.openExample': openExample,
        'loom.kernel.openStream': (...args) => streams.open(...stream.parse(args)),
      },
      held: [output, streams, registerKernelStatus(services.kernel)],
    };
  },
});
