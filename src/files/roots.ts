// Which files Loom may read: those inside some folders, judged by where links really lead.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { LoomError } from '#base/errors.ts';

export const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
};

/** Folders as the file system has them; one that is missing allows nothing. */
export const realRoots = async (roots: readonly string[]): Promise<string[]> => {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return real.filter((root) => root !== undefined);
};

export const unreadable = (path: string, error: NodeJS.ErrnoException): LoomError =>
  new LoomError('FILE_UNREADABLE', `${path} cannot be read (${error.code ?? error.message}).`, { cause: error });

export const outside = (path: string, roots: readonly string[]): LoomError =>
  new LoomError(
    'FILE_REFUSED',
    `${path} lies outside the folders that Loom may read (${roots.join(', ')}). A person can add its folder: loom.allowedDirs, LOOM_ALLOWED_DIRS.`,
  );

const expectRegular = async (path: string, real: string): Promise<void> => {
  const found = await stat(real).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error);
  });
  if (found.isDirectory()) {
    throw new LoomError('FILE_UNREADABLE', `${path} is a folder: name its files, or a glob such as ${path}/**/*.log.`);
  }
  if (!found.isFile()) throw new LoomError('FILE_UNREADABLE', `${path} is no regular file.`);
};

/** The real path of a regular file, wherever it lies. */
export const regularFile = async (path: string): Promise<string> => {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error);
  });
  await expectRegular(path, real);
  return real;
};

/** Says in words where a file that is not there may be found. */
export type Elsewhere = (path: string) => Promise<string>;

const notThere = async (path: string, error: NodeJS.ErrnoException, elsewhere: Elsewhere): Promise<LoomError> =>
  error.code === 'ENOENT'
    ? new LoomError('FILE_UNREADABLE', `There is no file ${path}. ${await elsewhere(path)}`.trim(), { cause: error })
    : unreadable(path, error);

/** The real path of a regular file inside the roots. Links are resolved before anything is judged. */
export const allowedFile = async (path: string, roots: readonly string[], elsewhere: Elsewhere): Promise<string> => {
  const isAllowed = (file: string): boolean => roots.some((root) => isInside(root, file));
  const real = await realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    // Whether a file exists is told only of what may be read.
    throw isAllowed(path) ? await notThere(path, error, elsewhere) : outside(path, roots);
  });
  if (!isAllowed(real)) throw outside(path, roots);
  await expectRegular(path, real);
  return real;
};
