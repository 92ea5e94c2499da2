import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../storage/harness.ts';

/** Runs a script on a new file system of 3 MB that only it can see. */
const onTinyDisk = (script: string): string => {
  const disk = scratch();
  const shell = 'mount -t tmpfs -o size=3m tmpfs "$1" && exec "$2" "$3" "$1"';
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

test('a disk that is really full: writes are refused and undone, reading goes on, and so does writing when there is room', () => {
  const said = JSON.parse(onTinyDisk(join(import.meta.dirname, 'fullDisk.ts'))) as Record<string, number>;
  expect(said).toMatchObject({ refusals: ['DRAWER_UNWRITABLE'], readable: said['whenFull'], integrity: 'ok' });
  expect(said['whenFull']).toBeGreaterThan(20);
  expect(said['afterRoom']).toBeGreaterThan(said['whenFull']!);
  expect(said['count']).toBe(said['afterRoom']);
});
