import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a drawer that hold `words` in the clear. Content is compressed, but a title is not. */
export const filesHolding = (folder: string, words: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => readFileSync(join(folder, name)).includes(words));
