// Every test that needs a real VS Code: in its extension host over the build of the sources, there again over the
// installed VSIX, then in its workbench with the VSIX, and last in Copilot's agent mode. LOOM_TEST_CODE=desktop takes a
// desktop VS Code for the first two, downloaded by @vscode/test-electron, in place of the one from npm.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { cacheFolder } from '#scripts/cache.ts';
import type { Profile } from '#scripts/codeServer.ts';
import { main, type Scope } from '#scripts/scope.ts';
import { inAgentMode } from './agentMode.ts';
import { freshlyInstalled, install, launchArgs, profileIn, root, standIn, vsix } from './install.ts';
import { inPanel } from './panel.ts';
import { reportVariable, resultsIn, type Result } from './report.ts';
import { inWorkbench } from './ui.ts';
import { inTwoWindows } from './windows.ts';

const tests = join(root, 'dist/test/index.cjs');

const desktop = (): Promise<string> => downloadAndUnzipVSCode({ cachePath: join(cacheFolder(), 'desktop') });

type Host = { executable: string; profile: Profile; extensionDevelopmentPath: string };

const inHost = async (scope: Scope, { executable, profile, extensionDevelopmentPath }: Host): Promise<Result[]> => {
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

// VS Code only runs tests where some extension is under development.
const bystander = (scope: Scope): string => {
  const folder = scope.folder('bystander');
  const manifest = { name: 'bystander', publisher: 'loom', version: '0.0.1', engines: { vscode: '*' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
};

/** Prints what `phase` came to, and gives it back. */
const told = async (phase: string, work: () => Promise<Result[]>): Promise<Result[]> => {
  const start = performance.now();
  const results = await work();
  for (const { test, failure } of results) {
    console.log(`${failure === undefined ? 'ok    ' : 'NOT OK'} ${phase}: ${test}`);
    if (failure !== undefined) console.log(stripVTControlCharacters(failure).replaceAll(/^/gm, '         '));
  }
  console.log(`       ${phase} took ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return results;
};

// test-electron forwards only this one.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.emit('SIGINT'));

await main(async (scope) => {
  for (const file of [tests, vsix])
    if (!existsSync(file)) throw new Error(`${file} is missing: npm run build && npm run package`);
  const executable = process.env.LOOM_TEST_CODE === 'desktop' ? await desktop() : standIn;
  const profile = profileIn(scope.folder('installed'));
  const development = { executable, profile: profileIn(scope.folder('development')), extensionDevelopmentPath: root };
  const installed = { executable, profile, extensionDevelopmentPath: bystander(scope) };
  const results = [
    ...(await told('development', () => inHost(scope, development))),
    ...(await told('installed', async () => {
      await install(scope, executable, profile);
      return inHost(scope, installed);
    })),
    ...(await told('workbench', async () => inWorkbench(scope, await freshlyInstalled(scope, 'workbench')))),
    ...(await told('panel', async () => inPanel(scope, await freshlyInstalled(scope, 'panel')))),
    ...(await told('two windows', async () => inTwoWindows(scope, await freshlyInstalled(scope, 'windows')))),
    ...(await told('agent mode', async () => inAgentMode(scope, await freshlyInstalled(scope, 'agent')))),
  ];
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
