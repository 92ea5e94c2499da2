// A copy of this repository with one more room, put in by a line in each of the lists and nothing else.
import { appendFileSync, cpSync, symlinkSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, scratch } from '../fixtures.ts';

const left = new Set(['node_modules', 'dist', '.git', '.vscode-test']);
/** The rooms' lists, and the toy's line in each. */
const lists = {
  'src/rooms.ts': "export { toy } from '#toy/parts.ts';\n",
  'src/vscode/rooms.ts': "export { toy } from '#vscode/toy/parts.ts';\n",
  'webview/tabs.ts': "export { toy } from './toy/toyTab.ts';\n",
};

/** Runs one of the project's own programs in `folder`; answers what it printed, and throws that where it fails. */
export const run = async (folder: string, program: string, ...args: string[]): Promise<string> => {
  const command = program === 'node' ? process.execPath : join(root, 'node_modules/.bin', program);
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
    },
  );
  return stdout;
};

/** The copy's folder, with everything derived and its bundles built. Whoever asked removes it. */
export const buildToy = async (): Promise<string> => {
  const folder = join(scratch(), 'loom');
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(path.slice(root.length + 1)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const part of ['src', 'webview']) cpSync(join(root, 'test/toy', part), join(folder, part), { recursive: true });
  for (const [list, line] of Object.entries(lists)) appendFileSync(join(folder, list), line);
  await run(folder, 'node', '--import', './scripts/withoutVscode.ts', 'scripts/gen.ts');
  await run(folder, 'node', 'esbuild.mjs');
  return folder;
};
