// Reads a file as it was at one moment.
import { open } from 'node:fs/promises';
import { LoomError } from '#base/errors.ts';
import { unreadable } from './roots.ts';

/** A file that changed while it was read is read again so often. */
const attempts = 3;

/** A file at one moment; `modified` in milliseconds since 1970. */
export type ReadFile = { bytes: Buffer; size: number; modified: number };

/** What is written to meanwhile is read again. `checkSize` throws where a file of so many bytes is not to be read. */
export const readSteady = async (path: string, checkSize: (bytes: number, path: string) => void): Promise<ReadFile> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(path, error);
    });
    try {
      const before = await file.stat({ bigint: true });
      checkSize(Number(before.size), path);
      const bytes = await file.readFile();
      const after = await file.stat({ bigint: true });
      const same = before.mtimeNs === after.mtimeNs && before.size === after.size;
      if (same && after.size === BigInt(bytes.length))
        return { bytes, size: bytes.length, modified: Number(after.mtimeMs) };
    } finally {
      await file.close();
    }
  }
  throw new LoomError('FILE_CHANGED', `${path} kept changing while it was read. Call again when nothing writes to it.`);
};
