import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resolveCliPathFromVSCodeExecutablePath } from '@vscode/test-electron';
import type { Profile } from '#scripts/codeServer.ts';
import { run } from '#scripts/run.ts';
import type { Scope } from '#scripts/scope.ts';

export const root = join(import.meta.dirname, '../..');
export const vsix = join(root, 'dist/loom.vsix');
/** The VS Code from npm, behind the command line of `code`. */
export const standIn = join(root, 'scripts/vscode.mjs');

export const launchArgs = ({ data, extensions }: Profile): string[] => [
  `--user-data-dir=${data}`,
  `--extensions-dir=${extensions}`,
];

/** A profile of its own in `folder`. */
export const profileIn = (folder: string): Profile => {
  const profile = { data: join(folder, 'data'), extensions: join(folder, 'extensions') };
  mkdirSync(profile.extensions, { recursive: true });
  return profile;
};

/** Installs the packaged extension into a profile. */
export const install = async (scope: Scope, executable: string, profile: Profile, file = vsix): Promise<void> => {
  const cli = executable === standIn ? standIn : resolveCliPathFromVSCodeExecutablePath(executable);
  await run(cli, [...launchArgs(profile), '--install-extension', file, '--force'], { scope });
};

/** A new profile with the packaged extension in it. */
export const freshlyInstalled = async (scope: Scope, name: string): Promise<Profile> => {
  const profile = profileIn(scope.folder(name));
  await install(scope, standIn, profile);
  return profile;
};
