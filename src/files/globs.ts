// The files that paths and globs name.
import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { asLoomError, LoomError } from '#base/errors.ts';
import { isInside, outside } from './roots.ts';

const usuallyIgnored = ['node_modules', '.git'];

/** The folder that a glob begins in; undefined where a later `..` could lead out of it. */
const globBase = (pattern: string, root: string): string | undefined => {
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => isDynamicPattern(part));
  if (parts.slice(magic).includes('..')) return undefined;
  return resolve(root, parts.slice(0, magic).join('/') || (pattern.startsWith('/') ? '/' : '.'));
};

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

export type Refusal = { path: string; fault: LoomError };

/** The files that paths and globs name, each once. Paths are relative to the first of `roots`, which bound the globs. */
export const nameFiles = async (
  paths: readonly string[],
  roots: readonly string[],
): Promise<{ files: string[]; refusals: Refusal[] }> => {
  const files = new Set<string>();
  const refusals: Refusal[] = [];
  for (const path of paths) {
    try {
      for (const file of await namedBy(path, roots[0] ?? '.', roots)) files.add(file);
    } catch (error) {
      refusals.push({ path, fault: asLoomError(error) });
    }
  }
  return { files: Array.from(files), refusals };
};
