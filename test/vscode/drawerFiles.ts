import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The drawer goes over to new files at any moment: one that was just listed may be gone. */
const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};

/** Files of a drawer that hold `words` in the clear. Content is compressed, but a title is not. */
export const filesHolding = (folder: string, words: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => bytesOf(join(folder, name)).includes(words));
