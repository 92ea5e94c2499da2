// Which back end is started, and what one can do for a better one.
import { statSync } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import { startBridge } from './bridge.ts';
import { interpreters } from './interpreters.ts';
import type { StartChosen } from '#kernel/kernel.ts';
import { startPyodide } from './pyodide.ts';
import type { KernelChoice, KernelInfo } from '#kernel/types.ts';
import type { KernelListener, KernelSession } from './backend.ts';

export type Programs = {
  /** The folder with the bridge's Python sources. */
  bridge: string;
  /** The folder with Pyodide's files. */
  pyodide: string;
  /** Where a snapshot of Pyodide's memory is kept. */
  cache: string;
  /** This worker's own program, for threads of it. */
  worker: string;
};

/** Interpreters that are tried before one gives up. */
const mostTried = 4;
const startLimit = 30_000;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const inProcess = async (
  programs: Programs,
  { backend, cwd }: KernelChoice,
  candidates: readonly string[],
  listener: KernelListener,
): Promise<KernelSession | LoomError> => {
  const engine = backend === 'pyodide' ? 'auto' : backend;
  const faults: string[] = [];
  // The first is tried twice: a start that failed by chance is no reason for another interpreter.
  for (const python of [...candidates.slice(0, 1), ...candidates.slice(0, mostTried)]) {
    try {
      return await startBridge({ program: programs.bridge, python, engine, cwd, startLimit }, listener);
    } catch (error) {
      if (!(error instanceof LoomError)) throw error;
      if (!faults.includes(error.message)) faults.push(error.message);
    }
  }
  const none = 'No Python was found: not in the workspace (.venv, venv) and not on the PATH.';
  const fix =
    'Set loom.kernel.python (LOOM_PYTHON) to an interpreter, or loom.kernel.backend (LOOM_KERNEL) to "pyodide".';
  return new LoomError('KERNEL_START_FAILED', `${faults.length > 0 ? faults.join('\n') : none} ${fix}`);
};

/** Starts what was chosen; where nothing was and there is no Python, the one in WASM. */
export const startChosen =
  (programs: Programs): StartChosen =>
  async (choice, listener) => {
    if (!isFolder(choice.cwd))
      throw new LoomError('KERNEL_START_FAILED', `The working folder ${choice.cwd} is missing, or is no folder.`);
    const wasm = () => startPyodide({ ...programs, cwd: choice.cwd, startLimit: 2 * startLimit }, listener);
    if (choice.backend === 'pyodide') return wasm();
    const candidates = choice.python
      ? [choice.python]
      : interpreters(choice.offered ?? [], choice.cwd, process.env['PATH']);
    const session = await inProcess(programs, choice, candidates, listener);
    if (!(session instanceof LoomError)) return session;
    if (choice.backend !== 'auto' || choice.python !== undefined) throw session;
    return wasm();
  };

/** What a person can do for a better kernel, or what this one cannot do. */
export const adviceFor = ({ engine, executable }: KernelInfo): string | undefined => {
  if (engine === 'plain')
    return `IPython is not installed there: no magics, no "!command". ${executable} -m pip install ipython, then reset_python.`;
  if (engine === 'pyodide')
    return (
      'Python in WebAssembly, since no interpreter was found (or by setting): no threads, subprocesses, sockets or ' +
      'third-party packages; it has the rights of the user all the same. Set loom.kernel.python (LOOM_PYTHON) for a real one.'
    );
  return undefined;
};
