import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Scope } from './scope.ts';

/** Holds what every checkout of this user can share: LOOM_TEST_CACHE, else `loom-test` in the user's cache folder. */
export const cacheFolder = (): string =>
  process.env.LOOM_TEST_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loom-test');

const dayMs = 86_400_000;

// Left by a run that was killed outright. A live one is minutes old.
const sweep = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.includes('.part-') && Date.now() - statSync(path).mtimeMs > dayMs)
      rmSync(path, { recursive: true, force: true });
  }
};

/**
 * The folder `name` of the cache. Where it is missing, `fill` makes it under a temporary name and it is renamed when it
 * is whole: neither an interrupted run nor two at once can leave half of it. `fill` learns the final path too.
 */
export const cached = async (
  scope: Scope,
  name: string,
  fill: (part: string, final: string) => Promise<void>,
): Promise<string> => {
  const final = join(cacheFolder(), name);
  if (existsSync(final)) return final;
  mkdirSync(dirname(final), { recursive: true });
  sweep(dirname(final));
  scope.assertOpen();
  const part = mkdtempSync(join(dirname(final), `${basename(final)}.part-`));
  scope.defer(() => rmSync(part, { recursive: true, force: true, maxRetries: 10 }));
  await fill(part, final);
  try {
    renameSync(part, final);
  } catch (error) {
    // Another run was first; its copy is as good.
    if (!existsSync(final)) throw error;
  }
  return final;
};

const bytesIn = (folder: string): number => {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
};

/** Runs one step of filling `folder` and says in a line what it was, how long it took and how large the folder is now. */
export const step = async (what: string, folder: string, work: () => Promise<void>): Promise<void> => {
  const start = performance.now();
  await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`  ${what}: ${seconds} s, ${Math.round(bytesIn(folder) / 1e6)} MB`);
};
