// Every test that needs a real VS Code: in its extension host over the build of the sources, there again over the
// installed VSIX, then in its workbench with the VSIX, and last in Copilot's agent mode. `npm run test:vscode -- panel`
// runs the phases that are named. LOOM_TEST_CODE=desktop takes a desktop VS Code for the first two, downloaded by
// @vscode/test-electron, in place of the one from npm.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { cacheFolder } from '#scripts/cache.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { main, scoped, type Scope } from '#scripts/scope.ts';
import { inAgentMeans } from './agentMeans.ts';
import { inAgentMode } from './agentMode.ts';
import { writeBystander } from './bystander.ts';
import { freshlyInstalled, install, launchArgs, profileIn, root, standIn, vsix } from './install.ts';
import { inPanel } from './panel.ts';
import { inToyRoom } from './toyRoom.ts';
import { reportVariable, resultsIn, type Result } from './report.ts';
import { inRestrictedMode } from './restricted.ts';
import { inWorkbench } from './ui.ts';
import { inTwoWindows } from './windows.ts';

const tests = join(root, 'dist/test/index.cjs');

const desktop = (): Promise<string> => downloadAndUnzipVSCode({ cachePath: join(cacheFolder(), 'desktop') });

const executable = process.env.LOOM_TEST_CODE === 'desktop' ? await desktop() : standIn;

type Host = { profile: Profile; extensionDevelopmentPath: string };

const inHost = async (scope: Scope, { profile, extensionDevelopmentPath }: Host): Promise<Result[]> => {
  const folder = scope.folder('workspace');
  const report = join(scope.folder('report'), 'lines');
  const running = runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath,
    extensionTestsPath: tests,
    launchArgs: [folder, ...launchArgs(profile)],
    extensionTestsEnv: { [reportVariable]: report },
  }).then(
    () => undefined,
    (error: Error) => error,
  );
  // It ends VS Code by itself at a signal; we wait for that.
  scope.defer(() => running);
  const error = await running;
  const results = resultsIn(report);
  if (error && results.every(({ failure }) => failure === undefined))
    results.push({ test: 'VS Code ends well', failure: error.message });
  return results;
};

type Phase = (scope: Scope) => Promise<Result[]>;

const phases: Record<string, Phase> = {
  development: (scope) => {
    const profile = profileIn(scope.folder('development'));
    writeBystander(join(profile.extensions, 'bystander'));
    return inHost(scope, { profile, extensionDevelopmentPath: root });
  },
  installed: async (scope) => {
    const profile = profileIn(scope.folder('installed'));
    await install(scope, executable, profile);
    // VS Code only runs tests where some extension is under development.
    return inHost(scope, { profile, extensionDevelopmentPath: writeBystander(scope.folder('bystander')) });
  },
  workbench: async (scope) => inWorkbench(scope, await freshlyInstalled(scope, 'workbench')),
  panel: async (scope) => inPanel(scope, await freshlyInstalled(scope, 'panel')),
  windows: async (scope) => inTwoWindows(scope, await freshlyInstalled(scope, 'windows')),
  restricted: async (scope) => inRestrictedMode(scope, await freshlyInstalled(scope, 'restricted')),
  agent: async (scope) => inAgentMode(scope, await freshlyInstalled(scope, 'agent')),
  room: inToyRoom,
  means: async (scope) => inAgentMeans(scope, await freshlyInstalled(scope, 'means')),
};

/** A phase with programs and folders of its own, and what it came to, which is also printed. */
const told = async (name: string, phase: Phase): Promise<Result[]> => {
  const start = performance.now();
  const results = await scoped(phase).catch((error: Error): Result[] => [
    { test: 'the phase runs to its end', failure: error.stack ?? error.message },
  ]);
  for (const { test, failure, first } of results) {
    console.log(`${failure === undefined ? 'ok    ' : 'NOT OK'} ${name}: ${test}`);
    for (const why of [first, failure])
      if (why !== undefined) console.log(stripVTControlCharacters(why).replaceAll(/^/gm, '         '));
  }
  console.log(`       ${name} took ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return results;
};

// test-electron forwards only this one.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.emit('SIGINT'));

await main(async () => {
  for (const file of [tests, vsix])
    if (!existsSync(file)) throw new Error(`${file} is missing: npm run build && npm run package`);
  const named = process.argv.slice(2);
  const chosen = Object.entries(phases).filter(([name]) => named.length === 0 || named.includes(name));
  if (chosen.length === 0) throw new Error(`phases: ${Object.keys(phases).join(', ')}`);
  let [passed, failed] = [0, 0];
  const second: string[] = [];
  for (const [name, phase] of chosen)
    for (const { test, failure, first } of await told(name, phase)) {
      if (failure === undefined) passed += 1;
      else failed += 1;
      if (failure === undefined && first !== undefined) second.push(`${name}: ${test}`);
    }
  if (passed + failed === 0) throw new Error('no test has such a name');
  console.log(`${passed} passed, ${failed} failed`);
  for (const test of second) console.log(`needed a second try: ${test}`);
  return failed === 0 ? 0 : 1;
});
