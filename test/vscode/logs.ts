import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes logs into `folder`, each new: its line 901 holds the words that are given, and its name. */
export const logsIn = (folder: string): ((words: string) => string) => {
  let count = 0;
  return (words) => {
    count += 1;
    const name = `log${count}.log`;
    writeFileSync(join(folder, name), `${'10:00:00 INFO tick\n'.repeat(900)}10:15:00 ERROR ${words} in ${name}\n`);
    return name;
  };
};
