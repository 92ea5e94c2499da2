// Signals to a process and all that it started.
import { spawnSync, type ChildProcess } from 'node:child_process';

/** Sends a signal to a process that leads its group, and to all of the group. One that is gone is no fault. */
export const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Ends what is left of the group. The number is still ours: the group's watchdog holds it until then. */
export const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
  else signalGroup(child, 'SIGKILL');
};
