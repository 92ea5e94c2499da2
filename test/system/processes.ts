// The processes of this machine, as tests look for them.
import { readdirSync, readFileSync } from 'node:fs';

export type Process = { pid: number; parent: number; line: string };

/** Every process that there is, with its command line. */
export const processes = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const [, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(pid), parent: Number(parent), line }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });

/** Waits for a state. */
export const until = async <T>(state: () => T | undefined | false): Promise<T> => {
  for (;;) {
    const found = state();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** Waits until no process has `mark` in its command line. */
export const gone = async (mark: string): Promise<void> => {
  await until(() => !processes().some(({ line }) => line.includes(mark)));
};
