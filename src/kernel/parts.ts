// The kernel as a room: its declaration and its parts.
import { defineRoom } from '#mcp/defineRoom.ts';
import { kernelHost } from './host.ts';
import { overview } from './overview.ts';
import { kernelErrors, kernelSettings } from './room.ts';
import { executionStatus } from './tools/executionStatus.ts';
import { interruptPython } from './tools/interruptPython.ts';
import { pythonStatus } from './tools/pythonStatus.ts';
import { readOutput } from './tools/readOutput.ts';
import { resetPython } from './tools/resetPython.ts';
import { runPython } from './tools/runPython.ts';
import { searchOutput } from './tools/searchOutput.ts';
import { waitPython } from './tools/waitPython.ts';
import { view } from './view.ts';

export const kernel = defineRoom({
  name: 'kernel',
  needs: ['drawer', 'ledger'],
  errors: kernelErrors,
  settings: kernelSettings,
  toolset: { description: 'All tools of the Python kernel.' },
  engine: () => import('./engine.ts'),
  host: kernelHost,
  programs: { kernelHost: 'kernelHost.ts' },
  tools: [executionStatus, interruptPython, pythonStatus, readOutput, resetPython, runPython, searchOutput, waitPython],
  overview,
  view,
});
