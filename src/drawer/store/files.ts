// Stores files that a call names, each by itself, and those that a person chose.
import { basename, relative, sep } from 'node:path';
import { asLoomError, LoomError } from '#base/errors.ts';
import type { CallControl } from '#base/rpc.ts';
import { counted } from '#base/text.ts';
import type { StoreArgs, Stored, StoredFiles, StoreFilesArgs } from '#drawer/types.ts';
import { nameFiles, type Refusal } from '#files/globs.ts';
import { openFile } from '#files/openFile.ts';
import { readSteady } from '#files/readSteady.ts';
import { allowedFile, isInside, realRoots, regularFile } from '#files/roots.ts';
import { checkSize } from './size.ts';

const mostFiles = 100;

/** A model that has a file's name and not its place finds it by a glob. */
const elsewhere = (path: string): string =>
  `Wherever it lies in the workspace, ctx_store_file ${JSON.stringify({ path: `**/${basename(path)}` })} finds it.`;

/** A file that a person chose, wherever it lies. */
export const readChosenFile = async (chosen: string): Promise<{ path: string; bytes: Buffer }> => {
  const path = await regularFile(chosen);
  return { path, bytes: await readSteady(path, () => openFile(path), checkSize) };
};

const named = async (paths: readonly string[], roots: readonly string[]): ReturnType<typeof nameFiles> => {
  const found = await nameFiles(paths, roots);
  if (found.files.length <= mostFiles) return found;
  throw new LoomError(
    'TOO_LARGE',
    `${counted(found.files.length, 'file')} match, at most ${mostFiles} are stored in one call. Name fewer of them.`,
  );
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
  const { files, refusals } = await named(args.paths, roots);
  const stored: Stored[] = [];
  for (const [index, file] of files.entries()) {
    try {
      const path = await allowedFile(file, roots, elsewhere);
      const bytes = await readSteady(path, () => openFile(path, roots), checkSize);
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
