// Outputs of terminals that VS Code saved in its own folder: only these are read, whatever path a result names.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LoomError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import { openFile } from '#files/openFile.ts';
import { readSteady } from '#files/readSteady.ts';
import { allowedFile } from '#files/roots.ts';

/** Reads the output saved at a path; rejects where it is none of VS Code's, is too large, or cannot be read in time. */
export type SavedOutput = (path: string) => Promise<string>;

/**
 * Where VS Code 1.139 saves them: in its data folder, of which the folders of extensions are a part (`User/globalStorage`), or,
 * where its window is a page in a browser, in `User/caches`.
 */
const savedFolders = (ofExtension: string): string[] => {
  for (let folder = ofExtension; folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === 'User')
      return [dirname(folder), join(folder, 'caches')].map((each) => join(each, 'copilot-terminal-output'));
  return [];
};

const savedName = /^copilot-terminal-output-[\da-f-]{36}\.txt$/;
const mostBytes = 16 * 2 ** 20;
const mostMs = 10_000;

const checkSize = (bytes: number): void => {
  if (bytes > mostBytes) throw new LoomError('TOO_LARGE', `it has ${counted(bytes, 'byte')}, more than are archived`);
};

const read = async (path: string, folders: readonly string[]): Promise<string> => {
  const folder = dirname(path);
  if (!folders.includes(folder) || !savedName.test(basename(path)))
    throw new LoomError('FILE_REFUSED', `${path} is no output that VS Code saved`);
  const roots = [await realpath(folder)];
  const file = await allowedFile(path, roots, async () => 'VS Code removed it.');
  const { bytes } = await readSteady(file, () => openFile(file, roots), checkSize);
  return bytes.toString('utf8');
};

/** `ofExtension` is a folder that VS Code gave this extension; where it is none, nothing is read. */
export const savedOutputs =
  (ofExtension: string, patience = mostMs): SavedOutput =>
  async (path) => {
    let timer: NodeJS.Timeout | undefined;
    // Whoever waits for a disk that does not answer is not waited for.
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new LoomError('DEADLINE', `${path} could not be read in time`)), patience);
    });
    return Promise.race([read(path, savedFolders(ofExtension)), late]).finally(() => clearTimeout(timer));
  };
