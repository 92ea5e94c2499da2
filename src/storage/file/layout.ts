/**
 * The names of the drawer's files. INVARIANT: every name is written once, by one process. Nothing is overwritten, and
 * nothing is truncated or changed by a process that did not create it; a number in a name is an epoch and never comes back.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The link that makes somebody the owner of epoch `epoch`. */
export const linkFile = (folder: string, epoch: number): string => join(folder, `owner.${epoch}`);
/** What the owner of `epoch` committed. */
export const logFile = (folder: string, epoch: number): string => join(folder, `drawer.${epoch}.log`);
/** The state at the beginning of `epoch`. */
export const snapshotFile = (folder: string, epoch: number): string => join(folder, `drawer.${epoch}.sqlite`);
/** The same state once more, where the snapshot before it may not stay. */
export const copyFile = (folder: string, epoch: number): string => join(folder, `drawer.${epoch}.copy`);
/** The torn end of a log, kept for a person. */
export const tornFile = (folder: string, epoch: number): string => join(folder, `drawer.${epoch}.torn`);
/** The drawer of Loom's first version: one plain file, rewritten after every write. */
export const firstFile = (folder: string): string => join(folder, 'drawer.sqlite');

const epochNamed = /^(?:owner\.(\d{1,15})|drawer\.(\d{1,15})\.(log|sqlite|copy|torn))$/;
export const temporary = /^(?:owner\.tmp\..*|drawer(?:\.(\d+)\.(?:log|sqlite|copy))?(?:\.sqlite)?\.tmp)$/;

/** The epochs of which there are files, ascending. */
export type Listing = {
  links: number[];
  logs: number[];
  snapshots: number[];
  copies: number[];
  torn: number[];
  /** The highest epoch that any file names; 0 in an empty folder. */
  top: number;
};

export const list = (folder: string): Listing => {
  const found: Omit<Listing, 'top'> = { links: [], logs: [], snapshots: [], copies: [], torn: [] };
  const byKind = { log: found.logs, sqlite: found.snapshots, copy: found.copies, torn: found.torn };
  for (const name of readdirSync(folder)) {
    const [, link, epoch, kind] = epochNamed.exec(name) ?? [];
    if (link !== undefined) found.links.push(Number(link));
    else if (kind !== undefined) byKind[kind as keyof typeof byKind].push(Number(epoch));
  }
  for (const epochs of Object.values(found)) epochs.sort((a, b) => a - b);
  const top = Math.max(
    0,
    ...[found.links, found.logs, found.snapshots, found.copies].map((epochs) => epochs.at(-1) ?? 0),
  );
  return { ...found, top };
};

/** Changes whenever a data file comes, goes or grows. */
export const fingerprint = (folder: string): string => {
  const names = readdirSync(folder).filter((name) => /^drawer\..*(?:log|sqlite|copy)$/.test(name));
  return names
    .sort()
    .map((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return `${name}:${stat?.size ?? ''}:${stat?.mtimeMs ?? ''}`;
    })
    .join('|');
};
