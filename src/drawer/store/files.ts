// Stores files that a call names, each by itself, and those that a person chose.
import { relative, sep } from 'node:path';
import { asLoomError, LoomError } from '#base/errors.ts';
import type { CallControl } from '#base/rpc.ts';
import { counted } from '#base/text.ts';
import type { StoreArgs, Stored, StoredFiles, StoreFilesArgs } from '#drawer/types.ts';
import { nameFiles, sameNamed, type Refusal } from '#files/globs.ts';
import { openFile } from '#files/openFile.ts';
import { readSteady, type ReadFile } from '#files/readSteady.ts';
import { allowedFile, isInside, realRoots, regularFile, type Elsewhere } from '#files/roots.ts';
import { checkSize } from './size.ts';

const mostFiles = 100;

/** Files that a hint names one by one. */
const mostHinted = 3;

/** Where a file of this name lies; a hint is a call that finds something. */
const elsewhereIn =
  (root: string): Elsewhere =>
  async (path) => {
    const found = await sameNamed(path, root);
    if (found === undefined) return '';
    if (found.length === 0) return 'No file of that name lies in the workspace.';
    const paths = found.slice(0, mostHinted);
    const more = found.length > paths.length ? ` There are ${found.length - paths.length} more of that name.` : '';
    return `It may be ${paths.map((each) => `ctx_store_file ${JSON.stringify({ path: each })}`).join(' or ')}.${more}`;
  };

/** A file that a person chose, wherever it lies. */
export const readChosenFile = async (chosen: string): Promise<{ path: string } & ReadFile> => {
  const path = await regularFile(chosen);
  return { path, ...(await readSteady(path, () => openFile(path), checkSize)) };
};

const filesOf = async (paths: readonly string[], roots: readonly string[]): ReturnType<typeof nameFiles> => {
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
  const { files, refusals } = await filesOf(args.paths, roots);
  const stored: Stored[] = [];
  const elsewhere = elsewhereIn(roots[0] ?? '.');
  for (const [index, { path: named, line: focus }] of files.entries()) {
    try {
      const path = await allowedFile(named, roots, elsewhere);
      const { bytes, ...file } = await readSteady(path, () => openFile(path, roots), checkSize);
      const root = roots.find((each) => isInside(each, path)) ?? '';
      const title = files.length === 1 && args.title ? args.title : relative(root, path).replaceAll(sep, '/');
      stored.push(
        await store({
          session,
          bytes,
          file,
          title,
          source: { kind: 'file', path },
          budget,
          profile,
          keep,
          account,
          focus,
        }),
      );
    } catch (error) {
      const fault = asLoomError(error);
      if (signal.aborted || !(fault.code.startsWith('FILE_') || fault.code === 'TOO_LARGE')) throw fault;
      refusals.push({ path: named, fault });
    }
    progress((index + 1) / files.length, `${counted(index + 1, 'file')} of ${files.length} read`);
  }
  if (stored.length === 0) throw nothingStored(refusals);
  return { stored, refused: refusals.map(({ path, fault }) => ({ path, reason: fault.message })) };
};
