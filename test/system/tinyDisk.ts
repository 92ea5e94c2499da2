// A disk that is really small, for a script that fills it.
import { execFileSync } from 'node:child_process';
import { scratch } from '../storage/harness.ts';

/** Runs a script on a new file system that only it can see. Its one argument is where that is mounted. */
export const onTinyDisk = (megabytes: number, script: string): string => {
  const disk = scratch();
  const shell = `mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && exec "$2" "$3" "$1"`;
  try {
    return execFileSync('unshare', ['-rm', 'sh', '-c', shell, 'sh', disk, process.execPath, script], {
      encoding: 'utf8',
    });
  } catch (error) {
    const said = `${String((error as { stderr?: string }).stderr ?? '')} ${String(error)}`;
    throw new Error(`A small tmpfs needs the program unshare (util-linux) and user namespaces, or root: ${said}`, {
      cause: error,
    });
  }
};
