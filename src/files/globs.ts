// The files that paths and globs name.
import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, resolve, sep } from 'node:path';
import { escapePath, glob, isDynamicPattern } from 'tinyglobby';
import { asLoomError, LoomError } from '#base/errors.ts';
import { isInside, outside } from './roots.ts';
import { meantBy } from './written.ts';

const usuallyIgnored = ['node_modules', '.git'];

/** The folder that a path or glob begins in; undefined where a later `..` could lead out of it. */
const globBase = (pattern: string, root: string): string | undefined => {
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => isDynamicPattern(part));
  if (magic < 0) return resolve(root, pattern);
  if (parts.slice(magic).includes('..')) return undefined;
  return resolve(root, parts.slice(0, magic).join('/') || (pattern.startsWith('/') ? '/' : '.'));
};

const slashed = (written: string): string => (sep === '\\' ? written.replaceAll('\\', '/') : written);

/** The real folder that a glob begins in, where that lies within the roots. */
const leadsInside = async (written: string, root: string, roots: readonly string[]): Promise<boolean> => {
  const base = globBase(slashed(written), root);
  const real = base === undefined ? undefined : await realpath(base).catch(() => base);
  return real !== undefined && roots.some((each) => isInside(each, real));
};

/** Files that a glob matches, sorted. It is never walked outside the roots, nor through links. */
const expand = async (written: string, root: string): Promise<string[]> => {
  const pattern = slashed(written);
  const ignore = usuallyIgnored.filter((name) => !pattern.split('/').includes(name)).map((name) => `**/${name}/**`);
  const options = { cwd: root, absolute: true, dot: true, ignore, followSymbolicLinks: false };
  return (await glob(pattern, options)).toSorted();
};

/** A file, and the line of it that was named with it. */
export type NamedFile = { path: string; line: number | undefined };

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The first form of what was written that is a file within the roots; what lies outside is no different from what is not there. */
const formWithin = async (forms: readonly NamedFile[], root: string, roots: readonly string[]) => {
  for (const { path, line } of forms) {
    const file = resolve(root, path);
    const real = await realpath(file).catch(() => undefined);
    if (real !== undefined && roots.some((each) => isInside(each, real))) return { path: file, line };
  }
  return undefined;
};

/** What the first of some globs matches that matches anything; those that lead outside are left out. */
const firstMatch = async (forms: readonly NamedFile[], root: string, roots: readonly string[]): Promise<string[]> => {
  for (const { path } of forms) {
    const found = isDynamicPattern(path) && (await leadsInside(path, root, roots)) ? await expand(path, root) : [];
    if (found.length > 0) return found;
  }
  return [];
};

/**
 * The files that one path or glob names: those of exactly this name, else those that what was written can mean (`meantBy`).
 * What it comes to is bounded by the roots like any path.
 */
const namedBy = async (path: string, root: string, roots: readonly string[]): Promise<NamedFile[]> => {
  const literal = { path: resolve(root, path), line: undefined };
  // A file may have brackets in its name: what exists is no pattern.
  if (await exists(literal.path)) return [literal];
  const forms = meantBy(path, root);
  const isGlob = isDynamicPattern(path);
  const matched = isGlob ? await firstMatch([{ path, line: undefined }], root, roots) : [];
  const meant = matched.length > 0 ? undefined : await formWithin(forms, root, roots);
  if (meant !== undefined) return [meant];
  const found = matched.length > 0 ? matched : await firstMatch(forms, root, roots);
  if (found.length > 0) return found.map((file) => ({ path: file, line: undefined }));
  for (const form of [{ path }, ...forms.filter(({ guess }) => guess !== true)])
    if ((isGlob || isAbsolute(form.path)) && !(await leadsInside(form.path, root, roots)))
      throw outside(form.path, roots);
  if (!isGlob) return [literal];
  throw new LoomError('FILE_UNREADABLE', `No file matches ${path}.`);
};

export type Refusal = { path: string; fault: LoomError };

/** The files that paths and globs name, each once. Paths are relative to the first of `roots`, which bound the globs. */
export const nameFiles = async (
  paths: readonly string[],
  roots: readonly string[],
): Promise<{ files: NamedFile[]; refusals: Refusal[] }> => {
  const files = new Map<string, NamedFile>();
  const refusals: Refusal[] = [];
  for (const path of paths) {
    try {
      for (const file of await namedBy(path, roots[0] ?? '.', roots))
        if (!files.has(file.path)) files.set(file.path, file);
    } catch (error) {
      refusals.push({ path, fault: asLoomError(error) });
    }
  }
  return { files: Array.from(files.values()), refusals };
};

/** Milliseconds that a look for a file's name may take. */
const patience = 2_000;

/** Files in a folder that have the name of `path`, in any case, also without what stands around it; undefined: not all was looked at. */
export const sameNamed = async (path: string, root: string): Promise<string[] | undefined> => {
  const names = [path, ...meantBy(path, root).map((form) => form.path)].map((form) => basename(form));
  const patterns = Array.from(new Set(names.filter((name) => /[^.]/.test(name))), (name) => `**/${escapePath(name)}`);
  const signal = AbortSignal.timeout(patience);
  const ignore = usuallyIgnored.map((name) => `**/${name}/**`);
  const options = { cwd: root, dot: true, ignore, followSymbolicLinks: false, caseSensitiveMatch: false, signal };
  const found = await glob(patterns, options).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  return signal.aborted ? undefined : found?.toSorted();
};
