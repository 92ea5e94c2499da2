import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, step } from './cache.ts';
import { cleanEnvironment, run } from './run.ts';
import type { Scope } from './scope.ts';
import { restoreStockRules } from './stockRules.ts';

/** VS Code 1.139.1: its server, its extension host and its workbench for a browser, as an npm package. */
const version = '4.139.1';
const server = 'node_modules/code-server';

/** code-server's folder, under the rules of a stock VS Code; from npm where it is not there yet. Nothing of it is compiled. */
export const getCodeServer = async (scope: Scope): Promise<string> => {
  const folder = await cached(scope, `code-server-${version}-stock`, async (part, final) => {
    console.log(`VS Code (code-server ${version}): from npm, once, about 620 MB and a minute, into ${final}`);
    const dependencies = { 'code-server': version };
    writeFileSync(join(part, 'package.json'), JSON.stringify({ name: 'code', private: true, dependencies }));
    const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    const install = (what: string, folder: string): Promise<void> =>
      step(what, part, () =>
        run('npm', ['install', ...options, '--loglevel=error'], {
          scope,
          cwd: join(part, folder),
          env: cleanEnvironment(),
        }),
      );
    // The scripts that we do not run would install the other two.
    await install('code-server', '.');
    await install("VS Code's server", `${server}/lib/vscode`);
    await install("VS Code's own extensions", `${server}/lib/vscode/extensions`);
    if (!existsSync(join(part, server, 'out/node/entry.js'))) throw new Error('code-server: npm left no entry.js');
    restoreStockRules(join(part, server, 'lib/vscode'));
  });
  return join(folder, server);
};

export type Profile = {
  /** VS Code's user data: settings, state, logs. */
  data: string;
  extensions: string;
};

/** A profile in a folder that is gone afterwards, parts of it given. */
export const newProfile = (scope: Scope, given: Partial<Profile> = {}): Profile => {
  const data = given.data ?? scope.folder('code');
  return { data, extensions: given.extensions ?? join(data, 'extensions') };
};

/** Arguments and environment of any run of code-server over `profile`. */
export const over = (codeServer: string, { data, extensions }: Profile): { args: string[]; env: NodeJS.ProcessEnv } => {
  const home = join(data, 'home');
  for (const folder of [home, extensions, join(data, 'User')]) mkdirSync(folder, { recursive: true });
  // Else it makes one under the user's own configuration.
  const config = join(data, 'code-server.yaml');
  writeFileSync(config, '');
  const entry = join(codeServer, 'out/node/entry.js');
  return {
    args: [entry, '--config', config, '--user-data-dir', data, '--extensions-dir', extensions],
    env: { ...cleanEnvironment(), HOME: home },
  };
};

/** Installs a packaged extension into the profile. */
export const installExtension = async (scope: Scope, profile: Profile, vsix: string): Promise<void> => {
  const { args, env } = over(await getCodeServer(scope), profile);
  await run(process.execPath, [...args, '--install-extension', vsix, '--force'], { scope, env });
};
