import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, step } from './cache.ts';
import { cleanEnvironment, run } from './run.ts';
import type { Scope } from './scope.ts';

/**
 * A program of an npm package that is too large for this project's own dependencies: from npm into the cache, once. None of
 * its scripts run. Answers the path of its `entry`.
 */
export const getProgram = async (scope: Scope, name: string, version: string, entry: string): Promise<string> => {
  const inside = join('node_modules', name, entry);
  const folder = await cached(scope, `${name.replace('/', '-')}-${version}`, async (part, final) => {
    console.log(`${name} ${version}: from npm, once, into ${final}`);
    writeFileSync(join(part, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
    const options = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    await step(name, part, () =>
      run('npm', ['install', ...options, '--loglevel=error'], { scope, cwd: part, env: cleanEnvironment() }),
    );
    if (!existsSync(join(part, inside))) throw new Error(`${name}: npm left no ${entry}`);
  });
  return join(folder, inside);
};
