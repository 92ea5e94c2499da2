// Where a path leads.
import { realpathSync } from 'node:fs';

/** A path with all links resolved; undefined where nothing is there. */
export const real = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};
