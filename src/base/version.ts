// Loom's version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json: two folders above the sources, one above a bundle. */
export const version = (): string => {
  const up = import.meta.filename.endsWith('.ts') ? ['..', '..'] : ['..'];
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, ...up, 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
};
