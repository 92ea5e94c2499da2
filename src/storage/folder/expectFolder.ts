// A drawer is a folder: other tools of the kind keep theirs in one file.
import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { LoomError } from '#base/errors.ts';
import { asUnreadable, isThere } from './unreadable.ts';

const sqlite = 'SQLite format 3\0';

const beginning = (file: string): string => {
  const bytes = Buffer.alloc(sqlite.length);
  const open = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(open, bytes)).toString('latin1');
  } finally {
    closeSync(open);
  }
};

const statOf = (path: string): Stats => {
  try {
    return statSync(path);
  } catch (error) {
    throw asUnreadable(path, error);
  }
};

/** Throws `DRAWER_UNWRITABLE` where something else than a folder is there. */
export const expectFolder = (path: string): void => {
  if (!isThere(path)) return;
  const found = statOf(path);
  if (found.isDirectory()) return;
  const what = found.isFile() && beginning(path) === sqlite ? 'an SQLite file' : 'no folder';
  throw new LoomError(
    'DRAWER_UNWRITABLE',
    `${path} is ${what}, and Loom keeps its drawer in a folder: LOOM_DB names that. Give another path. What is there was not touched, and is not read.`,
  );
};
