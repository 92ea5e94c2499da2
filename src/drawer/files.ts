import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { asLoomError, LoomError } from '#base/errors.ts';
import type { CallControl } from '#base/rpc.ts';
import { counted } from '#base/text.ts';
import type { StoreArgs, Stored, StoredFiles, StoreFilesArgs } from './service.ts';

const mostFiles = 100;
/** A file that changed while it was read is read again so often. */
const attempts = 3;
const usuallyIgnored = ['node_modules', '.git'];

const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way));
};

/** Folders as the file system has them; one that is missing allows nothing. */
const realRoots = async (roots: readonly string[]): Promise<string[]> => {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return real.filter((root) => root !== undefined);
};

/** Files that a glob matches inside `root`, sorted. */
const expand = async (pattern: string, root: string): Promise<string[]> => {
  const ignore = usuallyIgnored.filter((name) => !pattern.split('/').includes(name)).map((name) => `**/${name}/**`);
  const found = await glob(pattern.replaceAll('\\', '/'), { cwd: root, absolute: true, dot: true, ignore });
  return found.toSorted();
};

const realPath = (path: string): Promise<string> =>
  realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw new LoomError('FILE_UNREADABLE', `${path} cannot be read (${error.code ?? error.message}).`, {
      cause: error,
    });
  });

const expectRegular = async (path: string, real: string): Promise<void> => {
  const found = await stat(real);
  if (found.isDirectory()) {
    throw new LoomError('FILE_UNREADABLE', `${path} is a folder: name its files, or a glob such as ${path}/**/*.log.`);
  }
  if (!found.isFile()) throw new LoomError('FILE_UNREADABLE', `${path} is no regular file.`);
};

/** The real path of a regular file inside the roots. Links are resolved before anything is judged. */
const allowedFile = async (path: string, roots: readonly string[]): Promise<string> => {
  const real = await realPath(path);
  if (!roots.some((root) => isInside(root, real))) {
    throw new LoomError('FILE_REFUSED', `${path} lies outside the folders that Loom may read (${roots.join(', ')}).`);
  }
  await expectRegular(path, real);
  return real;
};

/** A file that a person chose, wherever it lies. */
export const readChosenFile = async (path: string): Promise<{ path: string; bytes: Buffer }> => {
  const real = await realPath(path);
  await expectRegular(path, real);
  return { path: real, bytes: await readSteady(real) };
};

/** A file as it was at one moment: what is written to meanwhile is read again. */
const readSteady = async (path: string): Promise<Buffer> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const file = await open(path);
    try {
      const before = await file.stat({ bigint: true });
      const bytes = await file.readFile();
      const after = await file.stat({ bigint: true });
      const same = before.mtimeNs === after.mtimeNs && before.size === after.size;
      if (same && after.size === BigInt(bytes.length)) return bytes;
    } finally {
      await file.close();
    }
  }
  throw new LoomError('FILE_CHANGED', `${path} kept changing while it was read. Call again when nothing writes to it.`);
};

type Named = { files: string[]; refused: StoredFiles['refused'] };

/** The files that paths and globs name, each once. */
const nameFiles = async ({ paths, roots }: StoreFilesArgs): Promise<Named> => {
  const files = new Set<string>();
  const refused: StoredFiles['refused'] = [];
  const [first = '.'] = roots;
  for (const path of paths) {
    const literal = resolve(first, path);
    const exists = await stat(literal).then(
      () => true,
      () => false,
    );
    // A file may have brackets in its name: what exists is no pattern.
    if (exists || !isDynamicPattern(path)) files.add(literal);
    else {
      const found = await expand(path, first);
      if (found.length === 0) refused.push({ path, reason: 'No file matches.' });
      for (const file of found) files.add(file);
    }
  }
  if (files.size > mostFiles) {
    throw new LoomError(
      'TOO_LARGE',
      `${counted(files.size, 'file')} match, at most ${mostFiles} are stored in one call. Name fewer of them.`,
    );
  }
  return { files: Array.from(files), refused };
};

/** Stores files by `store`, which the caller gives. Refuses one by one, and throws only where nothing could be stored. */
export const storeFiles = async (
  store: (args: StoreArgs) => Promise<Stored>,
  args: StoreFilesArgs,
  { signal, progress }: CallControl,
): Promise<StoredFiles> => {
  const { session, budget, keep, account } = args;
  const roots = await realRoots(args.roots);
  const { files, refused } = await nameFiles(args);
  const stored: Stored[] = [];
  let fault: LoomError | undefined;
  for (const [index, file] of files.entries()) {
    try {
      const path = await allowedFile(file, roots);
      const bytes = await readSteady(path);
      const root = roots.find((each) => isInside(each, path)) ?? '';
      const title = files.length === 1 && args.title ? args.title : relative(root, path).replaceAll(sep, '/');
      stored.push(await store({ session, bytes, title, source: { kind: 'file', path }, budget, keep, account }));
    } catch (error) {
      fault = asLoomError(error);
      if (signal.aborted || !fault.code.startsWith('FILE_')) throw fault;
      refused.push({ path: file, reason: fault.message });
    }
    progress((index + 1) / files.length, `${counted(index + 1, 'file')} of ${files.length} stored`);
  }
  if (stored.length > 0) return { stored, refused };
  throw (
    (refused.length === 1 ? fault : undefined) ??
    new LoomError(
      fault?.code ?? 'FILE_UNREADABLE',
      `Nothing was stored. ${refused.map(({ path, reason }) => `${path}: ${reason}`).join(' ')}`,
    )
  );
};
