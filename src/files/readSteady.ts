// Reads a file as it was at one moment.
import type { FileHandle } from 'node:fs/promises';
import { LoomError } from '#base/errors.ts';
import { Exchanged } from './openFile.ts';

/** A file that changed while it was read, or was exchanged for another, is opened again so often. */
const attempts = 3;

/** A file at one moment; `modified` in milliseconds since 1970. */
export type ReadFile = { bytes: Buffer; size: number; modified: number };

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

/** What an open file holds; undefined where it changed meanwhile. */
const readOnce = async (file: FileHandle, path: string, checkSize: CheckSize): Promise<ReadFile | undefined> => {
  const before = await file.stat({ bigint: true });
  checkSize(Number(before.size), path);
  const bytes = await readAll(file, Number(before.size));
  const after = await file.stat({ bigint: true });
  const same = before.mtimeNs === after.mtimeNs && before.size === after.size;
  if (!same || after.size !== BigInt(bytes.length)) return undefined;
  return { bytes, size: bytes.length, modified: Number(after.mtimeMs) };
};

/** What `open` opens is read; what changes or is exchanged meanwhile is opened again. */
export const readSteady = async (
  path: string,
  open: () => Promise<FileHandle>,
  checkSize: CheckSize,
): Promise<ReadFile> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const file = await open();
      try {
        const read = await readOnce(file, path, checkSize);
        if (read !== undefined) return read;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!(error instanceof Exchanged)) throw error;
    }
  }
  throw new LoomError('FILE_CHANGED', `${path} kept changing while it was read. Call again when nothing writes to it.`);
};
