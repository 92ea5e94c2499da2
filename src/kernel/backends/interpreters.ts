// Where a Python may be.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

const windows = process.platform === 'win32';
const inEnvironment = windows ? ['Scripts/python.exe'] : ['bin/python3', 'bin/python'];
const onPath = windows ? ['python.exe', 'python3.exe'] : ['python3', 'python'];

/** Interpreters to try, best first: those that are offered, the workspace's environment, then the PATH. */
export const interpreters = (offered: readonly string[], cwd: string, path: string | undefined): string[] => {
  const environments = ['.venv', 'venv'].flatMap((folder) => inEnvironment.map((name) => join(cwd, folder, name)));
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = onPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...new Set([...offered, ...environments, ...found])].filter(isProgram);
};
