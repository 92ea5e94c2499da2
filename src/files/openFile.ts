// Opens a file once and judges what was opened: whatever lies at its path a moment later does not matter.
import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { isInside, outside, unreadable } from './roots.ts';

/** Neither a link at the end is followed nor a pipe waited for. Windows has neither flag, and no such pipes. */
const once = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What lies at the path was exchanged between two looks at it. */
export class Exchanged extends Error {}

/** The path of an open file as Linux has it; undefined elsewhere. */
const ownPath = async (file: FileHandle): Promise<string | undefined> =>
  process.platform === 'linux' ? readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined) : undefined;

/** Whether what was opened is what lies at `real` now, with no link on the way. */
const isStillThere = async (file: FileHandle, real: string): Promise<boolean> => {
  if ((await realpath(real).catch(() => undefined)) !== real) return false;
  const [opened, there] = await Promise.all([file.stat({ bigint: true }), lstat(real, { bigint: true })]);
  return opened.dev === there.dev && opened.ino === there.ino;
};

/** Refuses what lies outside of `roots`, which are real paths; undefined: it may lie anywhere. */
const expectInside = async (file: FileHandle, real: string, roots: readonly string[] | undefined): Promise<void> => {
  if (roots === undefined) return;
  const path = await ownPath(file);
  if (path === undefined && !(await isStillThere(file, real))) throw new Exchanged();
  if (!roots.some((root) => isInside(root, path ?? real))) throw outside(real, roots);
};

/**
 * Opens the regular file at `real`, a path without links that was judged before. A link, a pipe, a device or another file
 * that took its place meanwhile is not read: `Exchanged`, or `FILE_REFUSED` where it lies outside of `roots`.
 */
export const openFile = async (real: string, roots?: readonly string[]): Promise<FileHandle> => {
  const file = await open(real, once).catch((error: NodeJS.ErrnoException) => {
    // A link, or what cannot be opened for reading as a file can: a socket, a pipe's other end.
    if (['ELOOP', 'ENXIO', 'EMLINK', 'ENODEV'].includes(error.code ?? '')) throw new Exchanged();
    throw unreadable(real, error);
  });
  try {
    if (!(await file.stat()).isFile()) throw new Exchanged();
    await expectInside(file, real, roots);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};
