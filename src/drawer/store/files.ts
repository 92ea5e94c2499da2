import { open, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { asLoomError, LoomError } from '#base/errors.ts';
import type { CallControl } from '#base/rpc.ts';
import { counted } from '#base/text.ts';
import { checkSize } from './store.ts';
import type { StoreArgs, Stored, StoredFiles, StoreFilesArgs } from '#drawer/types.ts';

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

/** The folder that a glob begins in; undefined where a later `..` could lead out of it. */
const globBase = (pattern: string, root: string): string | undefined => {
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => isDynamicPattern(part));
  if (parts.slice(magic).includes('..')) return undefined;
  return resolve(root, parts.slice(0, magic).join('/') || (pattern.startsWith('/') ? '/' : '.'));
};

const unreadable = (path: string, error: NodeJS.ErrnoException): LoomError =>
  new LoomError('FILE_UNREADABLE', `${path} cannot be read (${error.code ?? error.message}).`, { cause: error });

/** A model that has a file's name and not its place finds it by a glob. */
const notThere = (path: string, error: NodeJS.ErrnoException): LoomError => {
  if (error.code !== 'ENOENT') return unreadable(path, error);
  const anywhere = JSON.stringify({ path: `**/${basename(path)}` });
  const words = `There is no file ${path}. Wherever it lies in the workspace, ctx_store_file ${anywhere} finds it.`;
  return new LoomError('FILE_UNREADABLE', words, { cause: error });
};

const outside = (path: string, roots: readonly string[]): LoomError =>
  new LoomError(
    'FILE_REFUSED',
    `${path} lies outside the folders that Loom may read (${roots.join(', ')}). A person can add its folder: loom.allowedDirs, LOOM_ALLOWED_DIRS.`,
  );

/** Files that a glob matches, sorted. It is never walked outside the roots, nor through links. */
const expand = async (written: string, root: string, roots: readonly string[]): Promise<string[]> => {
  const pattern = sep === '\\' ? written.replaceAll('\\', '/') : written;
  const base = globBase(pattern, root);
  const real = base === undefined ? undefined : await realpath(base).catch(() => base);
  if (real === undefined || !roots.some((each) => isInside(each, real))) throw outside(written, roots);
  const ignore = usuallyIgnored.filter((name) => !pattern.split('/').includes(name)).map((name) => `**/${name}/**`);
  const options = { cwd: root, absolute: true, dot: true, ignore, followSymbolicLinks: false };
  return (await glob(pattern, options)).toSorted();
};

const expectRegular = async (path: string, real: string): Promise<void> => {
  const found = await stat(real);
  if (found.isDirectory()) {
    throw new LoomError('FILE_UNREADABLE', `${path} is a folder: name its files, or a glob such as ${path}/**/*.log.`);
  }
  if (!found.isFile()) throw new LoomError('FILE_UNREADABLE', `${path} is no regular file.`);
};

/** The real path of a regular file inside the roots. Links are resolved before anything is judged. */
const allowedFile = async (path: string, roots: readonly string[]): Promise<string> => {
  const isAllowed = (file: string): boolean => roots.some((root) => isInside(root, file));
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    // Whether a file exists is told only of what may be read.
    throw isAllowed(path) ? notThere(path, error) : outside(path, roots);
  });
  if (!isAllowed(real)) throw outside(path, roots);
  await expectRegular(path, real);
  return real;
};

/** A file that a person chose, wherever it lies. */
export const readChosenFile = async (path: string): Promise<{ path: string; bytes: Buffer }> => {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error);
  });
  await expectRegular(path, real);
  return { path: real, bytes: await readSteady(real) };
};

/** A file as it was at one moment: what is written to meanwhile is read again. */
const readSteady = async (path: string): Promise<Buffer> => {
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
      if (same && after.size === BigInt(bytes.length)) return bytes;
    } finally {
      await file.close();
    }
  }
  throw new LoomError('FILE_CHANGED', `${path} kept changing while it was read. Call again when nothing writes to it.`);
};

type Refusal = { path: string; fault: LoomError };
type Named = { files: string[]; refusals: Refusal[] };

/** The files that one path or glob names. */
const namedBy = async (path: string, root: string, roots: readonly string[]): Promise<string[]> => {
  const literal = resolve(root, path);
  const exists = await stat(literal).then(
    () => true,
    () => false,
  );
  // A file may have brackets in its name: what exists is no pattern.
  if (exists || !isDynamicPattern(path)) return [literal];
  const found = await expand(path, root, roots);
  if (found.length === 0) throw new LoomError('FILE_UNREADABLE', `No file matches ${path}.`);
  return found;
};

/** The files that paths and globs name, each once. */
const nameFiles = async (paths: readonly string[], roots: readonly string[]): Promise<Named> => {
  const files = new Set<string>();
  const refusals: Refusal[] = [];
  for (const path of paths) {
    try {
      for (const file of await namedBy(path, roots[0] ?? '.', roots)) files.add(file);
    } catch (error) {
      refusals.push({ path, fault: asLoomError(error) });
    }
  }
  if (files.size > mostFiles) {
    throw new LoomError(
      'TOO_LARGE',
      `${counted(files.size, 'file')} match, at most ${mostFiles} are stored in one call. Name fewer of them.`,
    );
  }
  return { files: Array.from(files), refusals };
};

/** Nothing could be stored: the one reason, or all of them. */
const nothingStored = (refusals: readonly Refusal[]): LoomError => {
  const [first] = refusals;
  if (first && refusals.length === 1) return first.fault;
  const reasons = refusals.map(({ fault }) => fault.message).join(' ');
  return new LoomError(first?.fault.code ?? 'INVALID_ARGUMENTS', `Nothing was stored. ${reasons || 'Name a file.'}`);
};

/** Stores files by `store`, which the caller gives. Refuses one by one, and throws only where nothing could be stored. */
export const storeFiles = async (
  store: (args: StoreArgs) => Promise<Stored>,
  { session, budget, profile, keep, account, ...args }: StoreFilesArgs,
  { signal, progress }: CallControl,
): Promise<StoredFiles> => {
  const roots = await realRoots(args.roots);
  const { files, refusals } = await nameFiles(args.paths, roots);
  const stored: Stored[] = [];
  for (const [index, file] of files.entries()) {
    try {
      const path = await allowedFile(file, roots);
      const bytes = await readSteady(path);
      const root = roots.find((each) => isInside(each, path)) ?? '';
      const title = files.length === 1 && args.title ? args.title : relative(root, path).replaceAll(sep, '/');
      stored.push(
        await store({ session, bytes, title, source: { kind: 'file', path }, budget, profile, keep, account }),
      );
    } catch (error) {
      const fault = asLoomError(error);
      if (signal.aborted || !(fault.code.startsWith('FILE_') || fault.code === 'TOO_LARGE')) throw fault;
      refusals.push({ path: file, fault });
    }
    progress((index + 1) / files.length, `${counted(index + 1, 'file')} of ${files.length} read`);
  }
  if (stored.length === 0) throw nothingStored(refusals);
  return { stored, refused: refusals.map(({ path, fault }) => ({ path, reason: fault.message })) };
};
