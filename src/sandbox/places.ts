// What a command in the sandbox sees of the file system: the home is hidden but for what builds need.
import { existsSync, readdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '#files/roots.ts';
import { caches } from './caches.ts';
import { foldersAbove, guardedPaths } from './guarded.ts';
import type { Request } from './protocol.ts';
import { real } from './real.ts';

const unique = (paths: readonly (string | undefined)[]): string[] => [
  ...new Set(paths.filter((path) => path !== undefined)),
];

/** The home that the environment names, and the account's own. */
const homes = (): string[] => unique([real(homedir()), real(userInfo().homedir)]);

/** Of this machine: keys, what services say to each other, and another system's homes. */
const ofMachine = [
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/kubernetes',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/ssh',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/mnt/c/Users',
  '/run',
];
/** A command's own, empty at its beginning and gone at its end. */
const temporary = process.platform === 'linux' ? ['/tmp', '/var/tmp'] : [];
/** In what is hidden of it, where a system's own programs lie (NixOS). */
const shownOfMachine = ['/run/current-system'];

/** Programs beside a home's `bin` folders in PATH. */
const besideBin = ['lib', 'lib64', 'libexec', 'include'];

/** Where PATH leads to: a person's own programs, and what they need. */
const ofPath = (): string[] =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => unique([folder, real(folder)]))
    .flatMap((folder) =>
      basename(folder) === 'bin' ? [folder, ...besideBin.map((name) => join(dirname(folder), name))] : [folder],
    );

/** Names in a folder that begin with a point, and macOS's own; none where it cannot be read. */
const settingsIn = (home: string): string[] => {
  try {
    return readdirSync(home).filter((name) => name.startsWith('.') || name === 'Library' || name === 'AppData');
  } catch {
    return [];
  }
};

/**
 * What is hidden of a home: all of it; or, where a person's own folder holds the home, what programs keep in it (each name
 * that begins with a point).
 */
const hiddenOf = (home: string, folders: readonly string[]): string[] =>
  home === '/' || folders.some((folder) => isInside(folder, home))
    ? settingsIn(home).map((name) => join(home, name))
    : [home];

export type Place = {
  path: string;
  /**
   * Not there for a command; or empty, and its own until it ends; or seen as it is; or written in. The deeper of two places
   * decides.
   */
  as: 'hidden' | 'temporary' | 'read' | 'written';
};
type Found = Map<string, Place['as']>;

/** What holds for a path: as the deepest place above it or at it. */
const heldAs = (path: string, places: Found): Place['as'] | undefined => {
  for (let at = path; ; at = dirname(at)) {
    const as = places.get(at);
    if (as !== undefined || at === dirname(at)) return as;
  }
};
const isClosed = (path: string, places: Found): boolean =>
  ['hidden', 'temporary'].includes(heldAs(path, places) ?? 'read');

/** Where a path is shown: under its own name where nothing else is, else where links really lead. */
const shownAt = (path: string, places: Found): string | undefined =>
  isClosed(dirname(path), places) ? path : real(path);

/** Every place that is not simply read, each after those that hold it. Only what there is. */
export const placesFor = ({ workspace, hidden, readable }: Request): Place[] => {
  const folders = unique([workspace, ...readable.map(real)]);
  const found: Found = new Map();
  const put = (paths: readonly (string | undefined)[], as: Place['as']): void => {
    for (const path of paths) if (path !== undefined && existsSync(path)) found.set(path, as);
  };
  const show = (paths: readonly string[]): void =>
    put(
      paths.map((path) => shownAt(path, found)),
      'read',
    );
  const people = homes();
  put(ofMachine.map(real), 'hidden');
  put(temporary.map(real), 'temporary');
  put(people.flatMap((home) => hiddenOf(home, folders)).map(real), 'hidden');
  show(readable);
  put([workspace], 'written');
  const needed = [...people.flatMap((home) => caches.map((name) => join(home, name))), ...ofPath(), ...shownOfMachine];
  show(needed.filter((path) => !people.includes(path) && isClosed(path, found)));
  put(hidden.map(real), 'hidden');
  const guarded = guardedPaths(workspace).filter((path) => heldAs(path, found) === 'written');
  // A place of their own keeps the folders above from being put aside for others.
  put(foldersAbove(guarded, workspace), 'written');
  put(guarded, 'read');
  const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);
  return Array.from(found, ([path, as]) => ({ path, as })).toSorted((a, b) => depth(a.path) - depth(b.path));
};
