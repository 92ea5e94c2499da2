// Reads a file as it was at one moment.
import type { FileHandle } from 'node:fs/promises';
import { LoomError } from '#base/errors.ts';
import { Exchanged } from './openFile.ts';

/** A file that changed while it was read, or was exchanged for another, is opened again so often. */
const attempts = 3;

/** Refuses what is too large, by its size in bytes and its name. */
export type CheckSize = (bytes: number, path: string) => void;

/** As many bytes as the file has; one more where it grew, however fast it grows, and fewer where it was cut. */
const readAll = async (file: FileHandle, size: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(size + 1);
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
};

/** The bytes of an open file; undefined where it changed meanwhile. */
const readOnce = async (file: FileHandle, path: string, checkSize: CheckSize): Promise<Buffer | undefined> => {
  const before = await file.stat({ bigint: true });
  checkSize(Number(before.size), path);
  const bytes = await readAll(file, Number(before.size));
  const after = await file.stat({ bigint: true });
  const same = before.mtimeNs === after.mtimeNs && before.size === after.size;
  return same && after.size === BigInt(bytes.length) ? bytes : undefined;
};

/** What `open` opens is read; what changes or is exchanged meanwhile is opened again. */
export const readSteady = async (
  path: string,
  open: () => Promise<FileHandle>,
  checkSize: CheckSize,
): Promise<Buffer> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const file = await open();
      try {
        const bytes = await readOnce(file, path, checkSize);
        if (bytes !== undefined) return bytes;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof Exchanged)) throw error;
    }
  }
  throw new LoomError('FILE_CHANGED', `${path} kept changing while it was read. Call again when nothing writes to it.`);
};
