// The state of a kernel in words.
import type { KernelState } from '#kernel/types.ts';
import { secondsText } from './executionText.ts';

const engineNames = { ipython: 'IPython', plain: 'no IPython', ipykernel: 'ipykernel', pyodide: 'Pyodide' };

/** A kernel's state in lines. */
export const stateText = ({ kernel, advice, cwd, current, recent, lastEnd }: KernelState): string => {
  const lines = [`kernel: ${kernel === undefined ? 'not started' : current === undefined ? 'idle' : 'busy'}`];
  if (current) lines.push(`current: In [${current.execution}], running for ${secondsText(current)}`);
  else if (recent) lines.push(`recent: In [${recent.execution}] ${recent.status}`);
  if (kernel) {
    const engine = [engineNames[kernel.engine], kernel.engineVersion].filter((part) => part).join(' ');
    lines.push(`python: ${kernel.python} (${engine}), ${kernel.executable}`);
    if (kernel.pid !== undefined) lines.push(`kernel_pid: ${kernel.pid}`);
  } else
    lines.push(
      lastEnd === undefined ? 'run_python starts it.' : `it ended: ${lastEnd}. run_python starts a fresh one.`,
    );
  if (cwd !== undefined) lines.push(`workspace: ${cwd}`);
  if (advice !== undefined) lines.push(advice);
  return lines.join('\n');
};
