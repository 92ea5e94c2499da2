/** Reading and writing that a crash at any moment cannot turn into half a file under a final name. */
import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, unlinkSync, writeSync } from 'node:fs';

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

/** Writes all of `bytes`: one `write` may be short, on a full disk above all. */
export const writeAll = (fd: number, bytes: Uint8Array, position: number): void => {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
};

/** Makes the names in `folder` durable. Windows cannot sync a folder; NTFS journals its names. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
};

/** True where there was such a file. */
export const remove = (file: string): boolean => {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

/** Removes `file` if that is possible: for what is merely untidy. */
export const tryRemove = (file: string): void => {
  try {
    unlinkSync(file);
  } catch {
    // Somebody else removed it, or will.
  }
};

export const readIfThere = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** At most the first `length` bytes of `file`; undefined where there is none. */
export const readStart = (file: string, length: number): Buffer | undefined => {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, 0));
  } finally {
    closeSync(fd);
  }
};

/** Creates `file` whole and durable or not at all. `at` names the steps for tests. */
export const createWhole = (folder: string, file: string, bytes: Uint8Array, at: (step: string) => void): void => {
  const temporary = `${file}.tmp`;
  const fd = openSync(temporary, 'w', 0o600);
  try {
    writeAll(fd, bytes, 0);
    fsyncSync(fd);
  } catch (error) {
    tryRemove(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
  at('written');
  renameSync(temporary, file);
  at('renamed');
  syncFolder(folder);
};

const unwritable = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE']);
/** The disk, not Loom, is at fault. */
export const isUnwritable = (error: unknown): boolean => unwritable.has(codeOf(error) ?? '');
