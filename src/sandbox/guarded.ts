// What other programs run or obey in a workspace: a command may read it, and not write it.
import { readdirSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '#files/roots.ts';
import { real } from './real.ts';

const guardedNames = new Set([
  '.bash_profile',
  '.bashrc',
  '.gitconfig',
  '.gitmodules',
  '.idea',
  '.mcp.json',
  '.profile',
  '.ripgreprc',
  '.vscode',
  '.zprofile',
  '.zshrc',
]);
/** In folders that a command may write in otherwise. */
const guardedBelow: Readonly<Record<string, readonly string[]>> = {
  '.git': ['config', 'hooks'],
  '.claude': ['agents', 'commands', 'hooks', 'settings.json', 'settings.local.json'],
};
/** Nobody's settings are looked for in other people's packages. */
const passedOver = new Set(['node_modules', '.git']);
const deepest = 3;

const entriesOf = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

function* guardedIn(folder: string, depth: number): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const { name } = entry;
    const path = join(folder, name);
    const below = guardedBelow[name];
    if (guardedNames.has(name) || (below !== undefined && !entry.isDirectory())) yield path;
    else if (below !== undefined) yield* below.map((one) => join(path, one));
    if (entry.isDirectory() && depth < deepest && !passedOver.has(name)) yield* guardedIn(path, depth + 1);
  }
}

/** Real paths inside `workspace`, as far as there are such files and folders now: nothing is made to guard a name. */
export const guardedPaths = (workspace: string): string[] =>
  Array.from(guardedIn(workspace, 0), real).filter(
    (path) => path !== undefined && isInside(workspace, path),
  ) as string[];

/** The folders between `workspace` and what is guarded: they keep their names, or another could take their place. */
export const foldersAbove = (paths: readonly string[], workspace: string): string[] => {
  const found = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== workspace && isInside(workspace, folder); folder = dirname(folder))
      found.add(folder);
  return [...found];
};
